# Copies of a pipelined loop by TMA, where the option asks for it: all of a loop, or none, and a remark says why.
# ./dev lit tests/passes/copies_by_tma.py
# RUN: tilescope show remarks %s --target sm_90a --pass-option inject-pipeline.tma=true --pass-option inject-pipeline.roles=false | FileCheck %s --check-prefix=CHOSEN
# RUN: tilescope show remarks %s --pass-option inject-pipeline.tma=true --pass-option inject-pipeline.roles=false | FileCheck %s --check-prefix=OLDER
# RUN: tilescope show remarks %s --target sm_90a --set K=164 --pass-option inject-pipeline.tma=true --pass-option inject-pipeline.roles=false | FileCheck %s --check-prefix=STRIDE
# RUN: tilescope show remarks %s --target sm_90a --set block_N=8 --pass-option inject-pipeline.tma=true --pass-option inject-pipeline.roles=false | FileCheck %s --check-prefix=ROWS
# RUN: tilescope compile %s --target sm_90a --pass-option inject-pipeline.tma=true --pass-option inject-pipeline.roles=false -o - | FileCheck %s
# RUN: tilescope exec %s --target sm_90a --pass-option inject-pipeline.tma=true --pass-option inject-pipeline.roles=false --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --set M=200 --set N=104 --set K=136 --pass-option inject-pipeline.tma=true --pass-option inject-pipeline.roles=false --pass-option infer-layouts.wgmma=false --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --set K=32 --pass-option inject-pipeline.tma=true --pass-option inject-pipeline.roles=false --pass-option infer-layouts.wgmma=false --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope check %s --target sm_90a --pass-option inject-pipeline.tma=true --pass-option inject-pipeline.roles=false
# RUN: tilescope check %s --target sm_90a --pass-option inject-pipeline.tma=true --pass-option inject-pipeline.roles=false --pass-option infer-layouts.wgmma=false
import tilelang
import tilelang.language as T


# CHOSEN: 'A' to 'A_shared' by TMA, 8192 bytes an iteration, counted by 'A_shared_full' [CopyByTma]
# CHOSEN: 'B' to 'B_shared' by TMA, 4096 bytes an iteration, counted by 'A_shared_full' [CopyByTma]
# OLDER: 'A' to 'A_shared' not by TMA: sm_80 has none [CopyNotByTma]
# STRIDE: 'A' to 'A_shared' not by TMA: the stride of 'A', 328 bytes, is no multiple of 16 [CopyNotByTma]
# ROWS: 'B' to 'B_shared' not by TMA: 'B_shared' has no whole rows of 32 bytes, eight at a time [CopyNotByTma]
# CHECK: const __grid_constant__ TensorMap A_map, const __grid_constant__ TensorMap B_map) {
# CHECK-NEXT: // A_map: boxes of 128 x 32 elements of A, rows of 64 bytes swizzled
# CHECK-NEXT: // B_map: boxes of 32 x 64 elements of B, rows of 128 bytes swizzled
# CHECK: if (threadIdx.x == 0) {
# CHECK: mbarrier_init(A_shared_full_v2, 1);
# CHECK-NEXT: }
# CHECK: __syncthreads();
# CHECK: if (k + 2 < 5) {
# CHECK-NEXT: if (threadIdx.x == 0) {
# CHECK-NEXT: mbarrier_arrive_expect(A_shared_full_k2, 12288);
# CHECK: tma_load_2d(&A_shared_k2[A_shared_at(0, 0)], A_map, A_shared_full_k2, (k + 2) * 32, by * 128);
# CHECK: tma_load_2d(&B_shared_k2[B_shared_at(0, 0)], B_map, A_shared_full_k2, bx * 64, (k + 2) * 32);
# CHECK-NEXT: }
# CHECK-NEXT: }
# CHECK-NEXT: mbarrier_wait(A_shared_full_k, k / 3);
# CHECK: wgmma_wait<0>();
# CHECK-NEXT: __syncthreads();
# CHECK-NEXT: wgmma_fence<64>(C_local);
# CHECK: const cudaError_t A_map_status = encode_tensor_map(A_map, 6, A, {u64(160), u64(256)}, {u64(320)}, {32, 128}, 2);
# CHECK: matmul_kernel<<<grid, 128, 36888, stream>>>(A, B, C, A_map, B_map);
# RUN: tilescope exec %s --target sm_90a --pass-option inject-pipeline.roles=true --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --set K=32 --pass-option inject-pipeline.roles=true --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --set M=200 --set N=104 --set K=136 --set num_stages=2 --pass-option inject-pipeline.roles=true --pass-option infer-layouts.wgmma=false --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope check %s --target sm_90a --pass-option inject-pipeline.roles=true
# RUN: tilescope check %s --target sm_90a --set num_stages=1 --pass-option inject-pipeline.roles=true
# RUN: tilescope check %s --target sm_90a --set num_stages=4 --set K=4096 --pass-option inject-pipeline.roles=true
# RUNS: cuda {{ *}}equal
# RUNS: cuda reversed {{ *}}equal
@tilelang.jit
def matmul(A, B, M: int = 256, N: int = 128, K: int = 160, block_M: int = 128, block_N: int = 64, block_K: int = 32,
           num_stages: int = 3, threads: int = 128, dtype: T.dtype = T.float16):
    A: T.Tensor[[M, K], dtype]
    B: T.Tensor[[K, N], dtype]
    C = T.empty([M, N], dtype)

    with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=threads) as (bx, by):
        A_shared = T.alloc_shared((block_M, block_K), dtype)
        B_shared = T.alloc_shared((block_K, block_N), dtype)
        C_local = T.alloc_fragment((block_M, block_N), T.float32)
        T.clear(C_local)
        for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=num_stages):
            T.copy(A[by * block_M, k * block_K], A_shared)
            T.copy(B[k * block_K, bx * block_N], B_shared)
            T.gemm(A_shared, B_shared, C_local)
        T.copy(C_local, C[by * block_M, bx * block_N])
    return C
