# Warp groups of a role that each do their part alone, where an option asks for it; a remark says why not.
# ./dev lit tests/passes/split_roles.py
# DEFINE: %{roles} = --target sm_90a --pass-option inject-pipeline.roles=true --pass-option split-roles.warp-groups=true
# DEFINE: %{stores} = %{roles} --pass-option infer-layouts.tma-stores=true
# DEFINE: %{blocks} = %{stores} --pass-option inject-pipeline.blocks=2
# RUN: tilescope show remarks %s %{blocks} | FileCheck %s --check-prefix=SPLIT
# RUN: tilescope show remarks %s %{roles} --pass-option infer-layouts.role-stores=false | FileCheck %s --check-prefix=LAYOUT
# RUN: tilescope show remarks %s %{stores} --set shifted=True | FileCheck %s --check-prefix=ROWS
# RUN: tilescope show remarks %s %{stores} --set total=True | FileCheck %s --check-prefix=TOTAL
# RUN: tilescope show ir %s %{blocks} --pass split-roles | FileCheck %s --check-prefix=IR
# RUN: tilescope compile %s %{blocks} -o - | FileCheck %s
# RUN: tilescope compile %s --target sm_90a --pass-option inject-pipeline.roles=true -o - | FileCheck %s --check-prefix=TOGETHER
# RUN: tilescope check %s %{blocks} | FileCheck %s --check-prefix=SOUND
# RUN: tilescope check %s %{stores} | FileCheck %s --check-prefix=SOUND
# RUN: tilescope check %s %{roles} | FileCheck %s --check-prefix=SOUND
# RUN: tilescope exec %s %{blocks} --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s %{stores} --set M=128 --set K=160 --witness | FileCheck %s --check-prefix=RUNS
# SOUND: arena sound yes
# SOUND-NEXT: free of hazards yes
# RUNS: cuda {{ *}}equal
# RUNS: cuda reversed {{ *}}equal
import tilelang
import tilelang.language as T


# SPLIT: 2 warp groups of role 'compute' do their parts alone [RoleSplit]
# LAYOUT: the warp groups of role 'compute' stay together: it writes 'C_shared', which has rows that do not lie alike in its parts [RoleNotSplit]
# ROWS: the warp groups of role 'compute' stay together: it uses 'C_shared' by other rows than those of each warp group [RoleNotSplit]
# TOTAL: the warp groups of role 'compute' stay together: {{.*}} [RoleNotSplit]
# IR: C_shared_rows = T.alloc_shared((64, 64), "float16", layout="aligned_swizzle(128)", source="C_shared", role="rows")
# IR-NEXT: C_shared_rows_1 = T.alloc_shared((64, 64), "float16", layout="aligned_swizzle(128)", source="C_shared", ordinal=1, role="rows")
# IR: T.mbarrier_init(A_shared_empty[2, 0], arrivals=256)
# IR: with T.ws(0, registers=232, name="compute0"):
# IR: T.wgmma(A_shared[{{.*}}, 0:64, {{.*}}
# IR: T.vector_copy(C_shared_vec[0:{{[0-9]+}}], C_shared_rows[row, {{.*}}
# IR: T.tma_store(C_shared_rows[0:64, 0:64], C[by * 128:by * 128 + 64, bx * 64:bx * 64 + 64])
# IR: with T.ws(1, registers=232, name="compute1"):
# IR: T.wgmma(A_shared[{{.*}}, 64:128, {{.*}}
# IR: T.vector_copy(C_shared_vec[0:{{[0-9]+}}], C_shared_rows_1[row - 64, {{.*}}
# IR: T.tma_store(C_shared_rows_1[0:64, 0:64], C[by * 128 + 64:by * 128 + 128, bx * 64:bx * 64 + 64])
# CHECK: // Role compute0: threads 0 to 127.
# CHECK: else if (warp_tx < 128) {
# CHECK: tma_store_wait<0>();
# CHECK: barrier_sync(1, 128);
# CHECK: fence_proxy_async();
# CHECK-NEXT: barrier_sync(1, 128);
# CHECK-NEXT: if (threadIdx.x == 0) {
# CHECK: tma_store_2d(
# CHECK: // Role compute1: threads 128 to 255.
# CHECK: else if (warp_tx >= 128 && warp_tx < 256) {
# CHECK: barrier_sync(2, 128);
# CHECK: fence_proxy_async();
# CHECK-NEXT: barrier_sync(2, 128);
# CHECK-NEXT: if (threadIdx.x == 128) {
# TOGETHER: // Role compute: threads 0 to 255.
@tilelang.jit
def matmul(A, B, M: int = 256, N: int = 128, K: int = 64, shifted: bool = False, total: bool = False):
    A: T.Tensor[[M, K], T.float16]
    B: T.Tensor[[K, N], T.float16]
    C = T.empty([M, N], T.float16)

    with T.Kernel(T.ceildiv(N, 64), T.ceildiv(M, 128), threads=256) as (bx, by):
        A_shared = T.alloc_shared((128, 32), T.float16)
        B_shared = T.alloc_shared((32, 64), T.float16)
        C_local = T.alloc_fragment((128, 64), T.float32)
        C_shared = T.alloc_shared((128, 64), T.float16)
        column_sum = T.alloc_fragment((64,), T.float32)
        T.clear(C_local)
        for k in T.Pipelined(K // 32, num_stages=3):
            T.copy(A[by * 128, k * 32], A_shared)
            T.copy(B[k * 32, bx * 64], B_shared)
            T.gemm(A_shared, B_shared, C_local)
        if total:
            T.reduce_sum(C_local, column_sum, dim=0)
            for i, j in T.Parallel(128, 64):
                C_local[i, j] += column_sum[j]
        if shifted:
            for i, j in T.Parallel(128, 64):
                C_shared[(i + 8) % 128, j] = C_local[i, j]
        else:
            T.copy(C_local, C_shared)
        T.copy(C_shared, C[by * 128, bx * 64])
    return C
