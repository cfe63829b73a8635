# Tiles left of the diagonal have no mask, and their sums start at zero; keys beyond a length that is no multiple are masked.
# ./dev lit tests/passes/masked_tiles.py
# DEFINE: %{masks} = --pass-option split-masks.branch=true
# DEFINE: %{roles} = --pass-option inject-pipeline.roles=true
# DEFINE: %{overlap} = --pass-option plan-pipeline.overlap-products=true
# RUN: tilescope compile %s --target sm_90a %{masks} %{roles} -o - | FileCheck %s
# RUN: tilescope show remarks %s --target sm_90a %{masks} | FileCheck %s --check-prefix=SAYS
# RUN: tilescope compile %s --target sm_90a -o - | FileCheck %s --check-prefix=OFF
# RUN: tilescope compile %s -o - | FileCheck %s --check-prefix=OFF
# RUN: tilescope check %s --target sm_90a %{masks} %{roles} | FileCheck %s --check-prefix=SOUND
# RUN: tilescope exec %s --target sm_90a %{masks} --every-pass --witness | FileCheck %s --check-prefixes=RUNS,WITNESS
# RUN: tilescope exec %s --target sm_90a %{masks} %{roles} --every-pass --witness | FileCheck %s --check-prefixes=RUNS,WITNESS
# RUN: tilescope exec %s --target sm_90a %{masks} %{roles} %{overlap} --every-pass | FileCheck %s --check-prefix=RUNS
# On no tile is nothing masked; on all; keys that fill tiles.
# RUN: tilescope exec %s --target sm_90a %{masks} %{roles} --set tiles=1 --every-pass | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a %{masks} %{roles} --set first=192 --set tiles=1 --every-pass | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a %{masks} %{roles} --set keys=192 --every-pass | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a %{masks} --set block_N=32 --set keys=90 --every-pass | FileCheck %s --check-prefix=RUNS
import tilelang
import tilelang.language as T


# One thread runs the role that copies.
# CHECK: // Role copy: threads 128 to 159.
# CHECK-NEXT: if (warp_tx >= 128) {
# CHECK-NEXT: if (threadIdx.x == 128) {
# CHECK-NOT: threadIdx.x
# CHECK: // Role compute
# CHECK: if (bx * 64 < k * 64 + 63) {
# CHECK-NOT: } else {
# CHECK: wgmma_m64n64k16_f16_f32<0, 0>(S_local, {{.*}}
# CHECK: k_step == 0 && bx * 64 >= k * 64 + 63);
# CHECK: if (k * 64 + 63 >= 170) {
# SAYS: 'S_local' is masked only in tiles where bx * 64 < k * 64 + 63
# SAYS: 'S_local' is masked only in tiles where k * 64 + 63 >= 170
# OFF-NOT: if (bx * 64
# OFF: S_local[{{.*}}] = {{.*}} >= {{.*}} ? 0.0f : float(-Infinity);
# SOUND: free of hazards {{ *}}yes
# RUNS: simplify#2 {{ *}}equal
# WITNESS: cuda {{ *}}equal
# WITNESS: cuda reversed {{ *}}equal
@tilelang.jit
def scores(Q, K, V, tiles: int = 3, keys: int = 170, D: int = 64, block_M: int = 64, block_N: int = 64, first: int = 0):
    Q: T.Tensor[[tiles * block_M, D], T.float16]
    K: T.Tensor[[keys, D], T.float16]
    V: T.Tensor[[keys, D], T.float16]
    O = T.empty([tiles * block_M, D], T.float32)

    with T.Kernel(tiles, threads=128) as bx:
        Q_shared = T.alloc_shared((block_M, D), T.float16)
        K_shared = T.alloc_shared((block_N, D), T.float16)
        V_shared = T.alloc_shared((block_N, D), T.float16)
        S_local = T.alloc_fragment((block_M, block_N), T.float32)
        P_local = T.alloc_fragment((block_M, block_N), T.float16)
        O_local = T.alloc_fragment((block_M, D), T.float32)
        T.copy(Q[bx * block_M, 0], Q_shared)
        T.clear(O_local)
        for k in T.Pipelined(T.ceildiv(keys, block_N), num_stages=2):
            T.copy(K[k * block_N, 0], K_shared)
            for i, j in T.Parallel(block_M, block_N):
                S_local[i, j] = T.if_then_else(first + bx * block_M + i >= k * block_N + j, 0, -T.infinity(T.float32))
            T.gemm(Q_shared, K_shared, S_local, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)
            for i, j in T.Parallel(block_M, block_N):
                S_local[i, j] = T.if_then_else(k * block_N + j >= keys, -T.infinity(T.float32), S_local[i, j])
            for i, j in T.Parallel(block_M, block_N):
                S_local[i, j] = T.exp2(S_local[i, j] * 0.125)
            T.copy(S_local, P_local)
            T.copy(V[k * block_N, 0], V_shared)
            T.gemm(P_local, V_shared, O_local, policy=T.GemmWarpPolicy.FullRow)
        T.copy(O_local, O[bx * block_M, 0])
    return O
