# RUN: exits 2 tilescope compile --target sm_90a %s 2>&1 | FileCheck %s
# ./dev lit tests/diagnostics/fail_no_free_barrier.py

# NoFreeBarrier: threads of a role need a barrier of their own, and the kernel has taken all.
import tilelang.language as T


@T.prim_func
def kernel(A: T.Tensor((128,), "float32"), B: T.Tensor((128,), "float32")):
    with T.Kernel(1, threads=256):
        S = T.alloc_shared((128,), "float32")
        # CHECK: [[# @LINE + 1]]:9: error: the threads of this role must meet, but all 16 barriers of the block are taken
        with T.ws(0):
            [T.sync_threads(number, 128) for number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)]
            tx = T.get_thread_binding()
            S[tx] = A[tx]
            B[tx] = S[127 - tx]
