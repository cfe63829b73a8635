# RUN: tilescope check %s | FileCheck %s
# ./dev lit tests/diagnostics/grid_barrier_not_established.py
import tilelang.language as T


# CHECK: line [[# @LINE + 11]]: it is not established that all blocks get to this barrier of the grid
# CHECK-NOT: line [[# @LINE + 7]]:
@T.prim_func
def divided(A: T.Tensor((128,), "float32"), n: T.int32):
    with T.Kernel(4, threads=32) as bx:
        tx = T.get_thread_binding()
        A[bx * 32 + tx] = 1.0
        for k in T.serial(n):
            T.sync_grid()
        if bx < 2:
            # Else a launch that never ends.
            T.sync_grid()
