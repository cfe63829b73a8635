# Scores start from nothing, and become an operand in the registers where their product left them.
# ./dev lit tests/passes/attention_wgmma.py
# RUN: tilescope compile %s --target sm_90a --pass-option inject-pipeline.roles=false -o - | FileCheck %s
# RUN: tilescope exec %s --target sm_90a --pass-option inject-pipeline.roles=false --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --pass-option inject-pipeline.roles=false --set threads=256 --set block_M=128 --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope check %s --target sm_90a --pass-option inject-pipeline.roles=false
# RUN: tilescope exec %s --target sm_90a --pass-option inject-pipeline.roles=true --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope check %s --target sm_90a --pass-option inject-pipeline.roles=true
import tilelang
import tilelang.language as T


# CHECK: for (int k = 0;
# CHECK-NOT: = 0.0f;
# CHECK: wgmma_m64n64k16_f16_f32<0, 0>(S_local, wgmma_operand<128, 16,
# CHECK-NEXT: 1024>(shared_address(&Q_shared[Q_shared_at(0, 0)]), Q_shared_at(0, k_step * 16) * 2), wgmma_operand<128, 16,
# CHECK-NEXT: 1024>(shared_address(&K_shared_k[K_shared_at(0, 0)]), K_shared_at(0, k_step * 16) * 2), k_step == 0);
# CHECK: wgmma_m64n64k16_f16_f32_registers<1>(O_local, &P_local[k_step * 8], wgmma_operand<128, 8192,
# RUNS: cuda {{ *}}equal
# RUNS: cuda reversed {{ *}}equal
@tilelang.jit
def attention(Q, K, V, S: int = 192, D: int = 64, block_M: int = 64, block_N: int = 64, threads: int = 128):
    Q: T.Tensor[[block_M, D], T.float16]
    K: T.Tensor[[S, D], T.float16]
    V: T.Tensor[[S, D], T.float16]
    O = T.empty([block_M, D], T.float32)

    with T.Kernel(1, threads=threads) as bx:
        Q_shared = T.alloc_shared((block_M, D), T.float16)
        K_shared = T.alloc_shared((block_N, D), T.float16)
        V_shared = T.alloc_shared((block_N, D), T.float16)
        S_local = T.alloc_fragment((block_M, block_N), T.float32)
        P_local = T.alloc_fragment((block_M, block_N), T.float16)
        O_local = T.alloc_fragment((block_M, D), T.float32)
        T.copy(Q, Q_shared)
        T.clear(O_local)
        for k in T.Pipelined(S // block_N, num_stages=2):
            T.copy(K[k * block_N, 0], K_shared)
            T.clear(S_local)
            T.gemm(Q_shared, K_shared, S_local, transpose_B=True)
            for i, j in T.Parallel(block_M, block_N):
                S_local[i, j] = T.max(S_local[i, j], 0)
            T.copy(S_local, P_local)
            T.copy(V[k * block_N, 0], V_shared)
            T.gemm(P_local, V_shared, O_local)
        T.copy(O_local, O)
    return O
