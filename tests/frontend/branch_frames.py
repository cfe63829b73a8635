# RUN: tilescope opt --passes '' %s:branches | FileCheck %s
# ./dev lit tests/frontend/branch_frames.py
# RUN: tilescope exec --every-pass %s:branches | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: exits 2 tilescope opt --passes '' %s:lonely 2>&1 | FileCheck %s --check-prefix=LONELY
# RUN: exits 2 tilescope opt --passes '' %s:mixed 2>&1 | FileCheck %s --check-prefix=MIXED
# RIGHT: insert-barriers#2 {{.*}}equal

# `with T.If(x):` around its two sides is an `if`.
import tilelang.language as T


@T.prim_func
def branches(A: T.Tensor((64,), "int32"), C: T.Tensor((64,), "int32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        # CHECK: if A[tx] < 3:
        # CHECK-NEXT: C[tx] = 1
        # CHECK-NEXT: else:
        # CHECK-NEXT: C[tx] = 2
        with T.If(A[tx] < 3):
            with T.Then():
                C[tx] = 1
            with T.Else():
                C[tx] = 2
        # CHECK-NEXT: if tx == 5:
        # CHECK-NEXT: C[5] = 7
        with T.If(tx == 5), T.Then():
            C[5] = 7
        # CHECK-NEXT: if tx == 6:
        # CHECK-NEXT: C[6] = 3
        with T.If(False):
            with T.Then():
                C[6] = 4
            with T.Else():
                T.evaluate(0)
        with T.If(tx == 6):
            with T.Then():
                C[6] = 3


# LONELY: :[[# @LINE + 4]]:{{.*}}error: expected 'with T.If(...):' around its two sides, not this
@T.prim_func
def lonely(C: T.Tensor((64,), "int32")):
    with T.Kernel(1, threads=64):
        with T.Then():
            C[0] = 1


# MIXED: :[[# @LINE + 5]]:{{.*}}error: expected 'with T.Then():', then nothing or 'with T.Else():', in 'with T.If(...):', not this
@T.prim_func
def mixed(C: T.Tensor((64,), "int32")):
    with T.Kernel(1, threads=64) as bx:
        with T.If(bx == 0):
            C[0] = 1
