# RUN: not tilescope compile %s:stores 2>&1 | FileCheck %s
# ./dev lit tests/diagnostics/fail_outside_every_launch.py
# RUN: not tilescope compile %s:repeats 2>&1 | FileCheck %s --check-prefix=REPEATS
# OutsideEveryLaunch
import tilelang.language as T


@T.prim_func
def stores(A: T.Tensor((8,), "float32"), B: T.Tensor((8,), "float32")):
    # CHECK: [[# @LINE + 1]]:{{.*}}error: this stands outside of every kernel launch, where nothing runs it
    B[0] = 3.0
    with T.Kernel(1, threads=32):
        tx = T.get_thread_binding()
        if tx < 8:
            A[tx] = 1.0
    # CHECK: [[# @LINE + 1]]:{{.*}}error: this stands outside of every kernel launch, where nothing runs it
    for i in T.serial(8):
        B[i] = A[i]


@T.prim_func
def repeats(A: T.Tensor((T.dynamic("n"),), "float32")):
    i = 0
    # REPEATS: [[# @LINE + 1]]:11: error: this stands outside of every kernel launch, where nothing runs it
    while i < A.shape[0]:
        i = i + 1
    with T.Kernel(1, threads=32) as bx:
        A[bx] = i
