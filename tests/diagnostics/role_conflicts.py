# RUN: tilescope check --target sm_90a %s 2>&1 | FileCheck %s
# ./dev lit tests/diagnostics/role_conflicts.py

# HazardNotEstablished: nobody waits for anybody where a role begins or ends, so nothing orders what
# roles do to the same bytes. No barrier is invented between them.
import tilelang.language as T


@T.prim_func
def kernel(A: T.Tensor((128,), "float32"), B: T.Tensor((128,), "float32")):
    with T.Kernel(1, threads=256):
        S = T.alloc_shared((128,), "float32")
        with T.ws(0):
            # CHECK: free of hazards not established, line [[# @LINE + 3]]: it is not established that accesses of
            T.copy(A, S)
        with T.ws(1):
            T.copy(S, B)
