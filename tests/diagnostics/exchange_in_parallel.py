# RUN: tilescope check %s | FileCheck %s
# ./dev lit tests/diagnostics/exchange_in_parallel.py
# Which lane runs which iteration is for the compiler to say.
import tilelang.language as T


@T.prim_func
def exchanges(A: T.Tensor((64,), "int32"), B: T.Tensor((64,), "int32")):
    with T.Kernel(1, threads=32):
        for i in T.Parallel(64):
            # CHECK: free of hazards {{ *}}not established, line [[# @LINE + 1]]: 'shuffle' gets what other lanes have
            B[i] = T.shfl_xor(A[i], 1)
