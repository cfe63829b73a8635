# Nothing is moved over a wait for earlier launches; both roles wait.
# ./dev lit tests/passes/pdl_order.py
# RUN: tilescope compile %s --target sm_90a -o - | FileCheck %s
# RUN: tilescope compile %s --target sm_90a --set late=True -o - | FileCheck %s --check-prefix=LATE
# RUN: tilescope show remarks %s --target sm_90a --set inside=True | FileCheck %s --check-prefix=INSIDE
# RUN: tilescope exec %s --target sm_90a --set late=True --witness | FileCheck %s --check-prefix=RUNS
# RUNS: cuda {{ *}}equal
import tilelang
import tilelang.language as T


# CHECK: __global__ void {{.*}}matmul
# CHECK: pdl_sync();
# CHECK-NOT: pdl_sync();
# CHECK: tma_load_2d(

# LATE: __global__ void {{.*}}matmul
# LATE: pdl_sync();
# LATE: tma_load_2d(
# LATE: pdl_sync();
# LATE: wgmma

# INSIDE: the loop over 'k' is not pipelined: it waits for other launches, or lets them begin
@tilelang.jit
def matmul(A, B, late: bool = False, inside: bool = False):
    A: T.Tensor[[64, 256], T.float16]
    B: T.Tensor[[256, 64], T.float16]
    C = T.empty([64, 64], T.float16)

    with T.Kernel(1, 1, threads=128) as (bx, by):
        A_shared = T.alloc_shared((64, 64), T.float16)
        B_shared = T.alloc_shared((64, 64), T.float16)
        C_local = T.alloc_fragment((64, 64), T.float32)
        if not late:
            T.pdl_sync()
        T.clear(C_local)
        if late:
            T.pdl_sync()
        for k in T.Pipelined(4, num_stages=2):
            if inside:
                T.pdl_trigger()
            T.copy(A[0, k * 64], A_shared)
            T.copy(B[k * 64, 0], B_shared)
            T.gemm(A_shared, B_shared, C_local)
        T.copy(C_local, C[0, 0])
    return C
