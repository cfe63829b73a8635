# Blocks that take tile after tile, where an option asks for it; a remark says why not.
# ./dev lit tests/passes/inject_pipeline_blocks.py
# DEFINE: %{roles} = --pass-option inject-pipeline.roles=true
# DEFINE: %{blocks} = %{roles} --pass-option inject-pipeline.blocks=4
# RUN: tilescope show remarks %s --target sm_90a %{blocks} | FileCheck %s --check-prefix=CHOSEN
# RUN: tilescope show remarks %s --target sm_90a %{blocks} --set N=64 | FileCheck %s --check-prefix=ENOUGH
# RUN: tilescope show remarks %s --target sm_90a %{blocks} --set N=320 --set M=640 | FileCheck %s --check-prefix=UNEVEN
# RUN: tilescope show remarks %s --target sm_90a --pass-option inject-pipeline.roles=false --pass-option inject-pipeline.blocks=4 | FileCheck %s --check-prefix=ALL
# RUN: tilescope show remarks %s --target sm_90a %{blocks} --set again=True | FileCheck %s --check-prefix=ELSEWHERE
# RUN: tilescope compile %s --target sm_90a %{blocks} -o - | FileCheck %s
# RUN: tilescope check %s --target sm_90a %{blocks}
# RUN: tilescope check %s --target sm_90a %{blocks} --set M=512 --set K=160
# RUN: tilescope exec %s --target sm_90a %{blocks} --every-pass --witness | FileCheck %s --check-prefix=RUNS
# Trips around the slots, tiles around the blocks:
# RUN: tilescope exec %s --target sm_90a %{blocks} --set K=32 --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a %{blocks} --set K=224 --set M=512 --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a %{blocks} --set swizzle=2 --set N=256 --witness | FileCheck %s --check-prefix=RUNS
# RUNS: cuda {{ *}}equal
# RUNS: cuda reversed {{ *}}equal
import tilelang
import tilelang.language as T


# CHOSEN: 3 blocks take 2 tiles each [Persistent]
# ENOUGH: each block of this launch has one tile: 2 blocks have one of 2 tiles each [NotPersistent]
# UNEVEN: each block of this launch has one tile: 25 tiles are not 7 for each of so many blocks [NotPersistent]
# ALL: each block of this launch has one tile: all of its threads copy [NotPersistent]
# ELSEWHERE: each block of this launch has one tile: 'A_shared' is used outside of its pipeline, too [NotPersistent]
# CHECK: // Role copy: threads 256 to 383.
# CHECK: for (int wave = 0; wave < 2; ++wave) {
# CHECK: const int tile = wave * 3 + block;
# CHECK: // Role compute: threads 0 to 255.
# CHECK: for (int wave = 0; wave < 2; ++wave) {
# CHECK: tma_store_wait<0>();
# CHECK: barrier_sync(1, 256);
# CHECK: copy_vector<4>(&C_shared[
# CHECK: fence_proxy_async();
# CHECK-NEXT: barrier_sync(1, 256);
# CHECK: tma_store_commit();
# CHECK-NOT: tma_store_wait
# CHECK: {{^    }}}
# CHECK: tma_store_wait<0>();
@tilelang.jit
def matmul(A, B, M: int = 256, N: int = 192, K: int = 128, swizzle: int = 0, again: bool = False):
    A: T.Tensor[[M, K], T.float16]
    B: T.Tensor[[K, N], T.float16]
    C = T.empty([M, N], T.float16)

    with T.Kernel(T.ceildiv(N, 64), T.ceildiv(M, 128), threads=256) as (bx, by):
        A_shared = T.alloc_shared((128, 32), T.float16)
        B_shared = T.alloc_shared((32, 64), T.float16)
        C_local = T.alloc_fragment((128, 64), T.float32)
        C_shared = T.alloc_shared((128, 64), T.float16)
        if swizzle:
            T.use_swizzle(swizzle)
        T.clear(C_local)
        for k in T.Pipelined(K // 32, num_stages=3):
            T.copy(A[by * 128, k * 32], A_shared)
            T.copy(B[k * 32, bx * 64], B_shared)
            T.gemm(A_shared, B_shared, C_local)
        if again:
            T.gemm(A_shared, B_shared, C_local)
        T.copy(C_local, C_shared)
        T.copy(C_shared, C[by * 128, bx * 64])
    return C
