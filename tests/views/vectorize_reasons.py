# RUN: tilescope show remarks %s:keeps_order | FileCheck %s
# ./dev lit tests/views/vectorize_reasons.py
# RUN: tilescope show remarks %s:counts | FileCheck %s --check-prefix=COUNTS
import tilelang
import tilelang.language as T


# Why an access of a loop that is otherwise wide is not.
# CHECK: vectorize, line [[#@LINE + 13]]: 's' is accessed 16 bytes at a time [LoopVectorized]
# CHECK: line [[#@LINE + 12]]: 's' is accessed one element at a time: the loop may load the element, or store it again, after it has stored it [AccessNotVectorized]
# CHECK: line [[#@LINE + 12]]: 's' is accessed one element at a time: the loop may store the element before it loads it [AccessNotVectorized]
# CHECK: line [[#@LINE + 11]]: 't' is accessed 16 bytes at a time [LoopVectorized]
@tilelang.jit
def keeps_order(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), T.float32), B: T.Tensor((N,), T.float32)):
        with T.Kernel(1, threads=128):
            s = T.alloc_shared((N,), T.float32)
            t = T.alloc_shared((N,), T.float32)
            T.copy(A, s)
            for i in T.Parallel(N):
                s[i] = s[i] * 3.0
                t[i] = s[i] + 1.0
            T.copy(t, B)

    return main


# Why a whole loop is not.
# COUNTS: vectorize, line [[#@LINE + 8]]: the loop over 'i_step' is not vectorized: the loop stores 'last', which a place, a condition or a binding reads [LoopNotVectorized]
@tilelang.jit
def counts(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), T.float32), B: T.Tensor((N,), T.float32)):
        with T.Kernel(1, threads=128):
            last = T.alloc_local((1,), T.float32)
            T.clear(last)
            for i in T.Parallel(N):
                before = last[0]
                B[i] = A[i] + before
                last[0] = before + 1.0

    return main
