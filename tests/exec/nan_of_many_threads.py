# RUN: tilescope exec %s --fill X=1e38 | FileCheck %s
# ./dev lit tests/exec/nan_of_many_threads.py

# Threads that write NaN to one element write one value, of whichever sign each computed it.
import tilelang.language as T


# CHECK-NOT: race
# CHECK: elaborate {{ *}}runs
# CHECK-NOT: race
@T.prim_func
def kernel(X: T.Tensor((64,), "float32"), Y: T.Tensor((1,), "float32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        infinite = X[tx] * X[tx]
        Y[0] = T.if_then_else(tx % 2 == 0, infinite - infinite, -(infinite - infinite))
