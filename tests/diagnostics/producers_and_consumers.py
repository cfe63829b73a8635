# RUN: tilescope check %s 2>&1 | FileCheck %s
# ./dev lit tests/diagnostics/producers_and_consumers.py
# RUN: tilescope compile %s -o %t

# Who arrives at a barrier and who waits there is not put in order by the checkers: it may be right.
import tilelang.language as T


# CHECK: free of hazards  not established
# CHECK: warning, line [[# @LINE + 12]]: it is not established that a barrier of some threads orders accesses of 's': no barrier between
# CHECK-NOT: error
@T.prim_func
def handed_over(A: T.Tensor((64,), "float32"), B: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=128):
        tx = T.get_thread_binding()
        s = T.alloc_shared((64,), "float32")
        if tx < 64:
            s[tx] = A[tx]
            T.named_barrier_arrive(1, 128)
        else:
            T.sync_threads(1, 128)
            B[tx - 64] = s[127 - tx]
