# RUN: tilescope opt --passes '' %s:leaves | FileCheck %s
# ./dev lit tests/frontend/thread_return.py
# RUN: exits 2 tilescope opt --passes '' %s:assigned 2>&1 | FileCheck %s --check-prefix=INSIDE
# RUN: exits 2 tilescope opt --passes '' %s:listed 2>&1 | FileCheck %s --check-prefix=INSIDE
# RUN: exits 2 tilescope opt --passes '' %s:ended 2>&1 | FileCheck %s --check-prefix=INSIDE
# RUN: tilescope exec --every-pass %s:leaves | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope exec --every-pass %s:blocks | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: exits 2 tilescope compile %s:hangs -o - 2>&1 | FileCheck %s --check-prefix=HANGS
# RUN: exits 2 tilescope opt --passes '' %s:loop 2>&1 | FileCheck %s --check-prefix=LOOP
# RUN: exits 2 tilescope opt --passes '' %s:called 2>&1 | FileCheck %s --check-prefix=LOOP
# RIGHT: insert-barriers#2 {{.*}}equal

# What a thread that has left would do stands in the other side of the branch.
import tilelang.language as T


@T.prim_func
def leaves(A: T.Tensor((64,), "int32"), C: T.Tensor((64,), "int32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        # CHECK: skips[0] = 0
        # CHECK: if tx >= 48:
        # CHECK-NEXT: C[tx] = 1
        # CHECK-NEXT: else:
        if tx >= 48:
            C[tx] = 1
            T.thread_return()
            C[tx] = 3
        # CHECK-NEXT: if A[tx] < 3:
        # CHECK-NEXT: if tx < 7:
        # CHECK-NEXT: skips[0] = 1
        # CHECK-NEXT: else:
        # CHECK-NEXT: C[tx] = 4
        # CHECK-NEXT: if skips[0] == 0:
        # CHECK-NEXT: C[tx] = 5
        if A[tx] < 3:
            if tx < 7:
                T.thread_return()
            C[tx] = 4
        C[tx] = 5


# Of a condition that all threads share barriers follow it.
@T.prim_func
def blocks(n: T.int32, A: T.Tensor((4, 64), "float32"), C: T.Tensor((4, 64), "float32")):
    with T.Kernel(4, threads=64) as bx:
        if bx >= n:
            T.thread_return()
        tile = T.alloc_shared((64,), "float32")
        T.copy(A[bx, :], tile)
        for i in T.Parallel(64):
            C[bx, i] = tile[63 - i]


# HANGS: :[[# @LINE + 7]]:{{.*}}error: 'barrier' takes all threads of the block, but only some of them get here
@T.prim_func
def hangs(A: T.Tensor((64,), "float32"), C: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        if tx >= 48:
            T.thread_return()
        T.sync_threads()
        C[tx] = A[tx]


# LOOP: error: leaving the kernel inside of a loop or of a function that it calls is not supported yet
@T.prim_func
def loop(C: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        for i in T.serial(4):
            if C[i] > 0:
                T.thread_return()


@T.macro
def leave(x):
    if x > 0:
        T.thread_return()


@T.prim_func
def called(C: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        leave(C[0])
        C[1] = 2


# What a call gives nothing cannot be kept.
# INSIDE: error: a jump inside of another statement is not supported yet
@T.prim_func
def assigned(A: T.Tensor((64,), "int32"), C: T.Tensor((64,), "int32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        if A[tx] > 0:
            x = T.thread_return()
        C[tx] = 3


@T.prim_func
def listed(C: T.Tensor((64,), "int32")):
    with T.Kernel(1, threads=64):
        x = [T.thread_return() for k in [1, 2]]
        for k in T.serial(4):
            C[k] = 3


@T.prim_func
def ended(C: T.Tensor((64,), "int32")):
    with T.Kernel(1, threads=64):
        for k in T.serial(4):
            x = T.loop_break()
            C[k] = 3
