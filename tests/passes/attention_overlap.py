# Scores and the product of the block before are started together, and waited for late; blocks have 0, 1, 2, ... iterations.
# ./dev lit tests/passes/attention_overlap.py
# DEFINE: %{overlap} = --target sm_90a --pass-option plan-pipeline.overlap-products=true
# DEFINE: %{tma} = --pass-option inject-pipeline.tma=true --pass-option inject-pipeline.roles=false
# DEFINE: %{roles} = --pass-option inject-pipeline.roles=true
# RUN: tilescope compile %s %{overlap} %{roles} -o - | FileCheck %s
# RUN: tilescope exec %s %{overlap} --pass-option inject-pipeline.roles=false --every-pass | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s %{overlap} %{tma} --every-pass | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s %{overlap} %{roles} --every-pass | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s %{overlap} %{roles} --set stages=1 | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s %{overlap} %{roles} --set stages=3 | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s %{overlap} %{roles} --set threads=256 --set block_M=128 | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s %{overlap} %{roles} --set trips=3 --witness | FileCheck %s --check-prefixes=RUNS,WITNESS
# RUN: tilescope check %s %{overlap} --pass-option inject-pipeline.roles=false --set trips=3 | FileCheck %s --check-prefix=SOUND
# RUN: tilescope check %s %{overlap} %{roles} --set trips=3 | FileCheck %s --check-prefix=SOUND
# RUN: tilescope show remarks %s --pass-option plan-pipeline.overlap-products=true | FileCheck %s --check-prefix=OLDER
# RUN: tilescope show remarks %s %{overlap} --pass-option inject-pipeline.roles=false --set second=False | FileCheck %s --check-prefix=ALONE
import tilelang
import tilelang.language as T


# CHECK: Role compute
# CHECK: for (int k = 0; k < bx - 1;
# CHECK: mbarrier_wait(K_shared_full_k1,
# CHECK: wgmma_m64n64k16_f16_f32<0, 0>(S_local,
# CHECK: wgmma_commit();
# CHECK-NEXT: mbarrier_wait(V_shared_full_k,
# CHECK: wgmma_m64n64k16_f16_f32_registers<1>(O_local, &P_local[k_step * 8],
# CHECK: wgmma_commit();
# CHECK-NOT: S_local[
# CHECK: wgmma_wait<1>();
# CHECK: wgmma_fence<32>(S_local);
# CHECK-NEXT: mbarrier_arrive(K_shared_empty_k1);
# CHECK: S_local[
# CHECK-NOT: P_local[
# CHECK: wgmma_wait<0>();
# CHECK: wgmma_fence<32>(O_local);
# CHECK-NEXT: mbarrier_arrive(V_shared_empty_k);
# CHECK: P_local[
# RUNS: simplify#2 {{ *}}equal
# WITNESS: cuda {{ *}}equal
# WITNESS: cuda reversed {{ *}}equal
# SOUND: free of hazards {{ *}}yes
# OLDER: products of the loop over 'k' do not overlap what is computed: sm_80 has none that run by themselves
# ALONE: products of the loop over 'k' do not overlap what is computed: none depends on another of the same iteration
@tilelang.jit
def attention(Q, K, V, blocks: int = 5, D: int = 64, block_M: int = 64, block_N: int = 64, stages: int = 2, threads: int = 128,
              trips: int = 0, second: bool = True):
    Q: T.Tensor[[block_M, D], T.float16]
    K: T.Tensor[[blocks * block_N, D], T.float16]
    V: T.Tensor[[blocks * block_N, D], T.float16]
    O = T.empty([blocks, block_M, D], T.float32)

    with T.Kernel(blocks, threads=threads) as bx:
        Q_shared = T.alloc_shared((block_M, D), T.float16)
        K_shared = T.alloc_shared((block_N, D), T.float16)
        V_shared = T.alloc_shared((block_N, D), T.float16)
        S_local = T.alloc_fragment((block_M, block_N), T.float32)
        P_local = T.alloc_fragment((block_M, block_N), T.float16)
        O_local = T.alloc_fragment((block_M, D), T.float32)
        top = T.alloc_fragment((block_M,), T.float32)
        T.copy(Q, Q_shared)
        T.clear(O_local)
        T.clear(top)
        for k in T.Pipelined(trips if trips else bx, num_stages=stages):
            T.copy(K[k * block_N, 0], K_shared)
            T.gemm(Q_shared, K_shared, S_local, transpose_B=True, clear_accum=True, policy=T.GemmWarpPolicy.FullRow)
            T.reduce_max(S_local, top, dim=1, clear=False)
            for i, j in T.Parallel(block_M, block_N):
                S_local[i, j] = T.max(S_local[i, j], 0) * 0.25
            T.copy(S_local, P_local)
            for i, j in T.Parallel(block_M, D):
                O_local[i, j] = O_local[i, j] * 0.5 + top[i]
            if second:
                T.copy(V[k * block_N, 0], V_shared)
                T.gemm(P_local, V_shared, O_local, policy=T.GemmWarpPolicy.FullRow)
        T.copy(O_local, O[bx, 0, 0])
    return O
