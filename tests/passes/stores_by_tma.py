# Copies of shared tiles to tensors by TMA, where the option asks for it; a remark says why not.
# ./dev lit tests/passes/stores_by_tma.py
# RUN: tilescope show remarks %s --target sm_90a --pass-option inject-pipeline.roles=false --pass-option infer-layouts.tma-stores=true | FileCheck %s --check-prefix=CHOSEN
# RUN: tilescope show remarks %s --pass-option inject-pipeline.roles=false --pass-option infer-layouts.tma-stores=true | FileCheck %s --check-prefix=OLDER
# RUN: tilescope show remarks %s --target sm_90a --set N=132 --pass-option inject-pipeline.roles=false --pass-option infer-layouts.tma-stores=true | FileCheck %s --check-prefix=STRIDE
# RUN: tilescope show remarks %s --target sm_90a --set reads=True --pass-option inject-pipeline.roles=false --pass-option infer-layouts.tma-stores=true | FileCheck %s --check-prefix=READ
# RUN: tilescope compile %s --target sm_90a --pass-option inject-pipeline.roles=false --pass-option infer-layouts.tma-stores=true -o - | FileCheck %s
# RUN: tilescope exec %s --target sm_90a --pass-option inject-pipeline.roles=false --pass-option infer-layouts.tma-stores=true --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --set M=72 --set N=104 --set tiles=2 --pass-option inject-pipeline.roles=false --pass-option infer-layouts.tma-stores=true --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope check %s --target sm_90a --set tiles=3 --pass-option inject-pipeline.roles=false --pass-option infer-layouts.tma-stores=true
# RUN: tilescope exec %s --target sm_90a --pass-option inject-pipeline.roles=true --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope check %s --target sm_90a --pass-option inject-pipeline.roles=true
# RUNS: cuda {{ *}}equal
# RUNS: cuda reversed {{ *}}equal
import tilelang
import tilelang.language as T


# CHOSEN: 'C_shared' to 'C' by TMA, which one thread begins and waits for [StoreByTma]
# OLDER: 'C_shared' to 'C' not by TMA: sm_80 has none [CopyNotByTma]
# STRIDE: 'C_shared' to 'C' not by TMA: the stride of 'C', 264 bytes, is no multiple of 16 [CopyNotByTma]
# READ: 'C_shared' to 'C' not by TMA: 'C' is accessed elsewhere, too [CopyNotByTma]
# CHECK: // C_map: boxes of 1 x 64 x 64 elements of C, rows of 128 bytes swizzled
# CHECK: copy_vector<4>(&C_shared[
# CHECK: fence_proxy_async();
# CHECK-NEXT: __syncthreads();
# CHECK-NEXT: if (threadIdx.x == 0) {
# CHECK-NEXT: // {{.*}}T.copy(C_shared, C
# CHECK-NEXT: tma_store_3d(C_map, &C_shared[C_shared_at(0, 0)], bx * 128, by * 64, 0);
# CHECK-NEXT: tma_store_3d(C_map, &C_shared[C_shared_at(0, 64)], bx * 128 + 64, by * 64, 0);
# CHECK-NEXT: tma_store_commit();
# CHECK-NEXT: tma_store_wait<0>();
# CHECK-NEXT: }
@tilelang.jit
def matmul(A, B, M: int = 64, N: int = 128, K: int = 64, tiles: int = 1, reads: bool = False):
    A: T.Tensor[[M, K], T.float16]
    B: T.Tensor[[K, N], T.float16]
    C = T.empty([tiles, M, N], T.float16)

    with T.Kernel(T.ceildiv(N, 128), T.ceildiv(M, 64), threads=128) as (bx, by):
        A_shared = T.alloc_shared((64, 32), T.float16)
        B_shared = T.alloc_shared((32, 128), T.float16)
        C_local = T.alloc_fragment((64, 128), T.float32)
        C_shared = T.alloc_shared((64, 128), T.float16)
        for tile in T.serial(tiles):
            T.clear(C_local)
            for k in T.Pipelined(K // 32, num_stages=2):
                T.copy(A[by * 64, k * 32], A_shared)
                T.copy(B[k * 32, bx * 128], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.copy(C_local, C_shared)
            T.copy(C_shared, C[tile, by * 64, bx * 128])
        if reads:
            T.copy(C[0, 0:64, 0:128], C_shared)
    return C
