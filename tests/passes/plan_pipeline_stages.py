# Serial loops that copy tiles get the stages of an option; pipelined ones keep theirs.
# ./dev lit tests/passes/plan_pipeline_stages.py
# RUN: tilescope show remarks %s --target sm_90a --pass-option plan-pipeline.stages=3 | FileCheck %s
# RUN: tilescope show remarks %s --target sm_90a --set num_stages=2 --pass-option plan-pipeline.stages=3 | FileCheck %s --check-prefix=ASKED
# RUN: tilescope show remarks %s --target sm_90a | FileCheck %s --check-prefix=NONE
# RUN: tilescope exec %s --target sm_90a --pass-option plan-pipeline.stages=3 --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --pass-option plan-pipeline.stages=2 --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope check %s --target sm_90a --pass-option plan-pipeline.stages=3
# RUN: not tilescope compile %s --pass-option plan-pipeline.stages=33 -o /dev/null 2>&1 | FileCheck %s --check-prefix=DEEP
import tilelang
import tilelang.language as T


# CHECK: the loop over 'k' is pipelined: copies run up to 2 iterations ahead; versions: 'A_shared' 3, 'B_shared' 3 [LoopPipelined]
# CHECK: 'A' to 'A_shared' by TMA, 8192 bytes an iteration
# ASKED: the loop over 'k' is pipelined: copies run up to 1 iteration ahead; versions: 'A_shared' 2, 'B_shared' 2 [LoopPipelined]
# NONE-NOT: LoopPipelined
# DEEP: error: {{.*}}33{{.*}}32
# RUNS: cuda {{ *}}equal
# RUNS: cuda reversed {{ *}}equal
@tilelang.jit
def matmul(A, B, M: int = 128, N: int = 128, K: int = 256, split: int = 2, num_stages: int = 0):
    A: T.Tensor[[M, K], T.float16]
    B: T.Tensor[[K, N], T.float16]
    C = T.empty([split, M, N], T.float32)

    with T.Kernel(T.ceildiv(N, 64), T.ceildiv(M, 64), split, threads=128) as (bx, by, bz):
        A_shared = T.alloc_shared((64, 64), T.float16)
        B_shared = T.alloc_shared((64, 64), T.float16)
        C_local = T.alloc_fragment((64, 64), T.float32)
        T.clear(C_local)
        for k in T.Pipelined(K // split // 64, num_stages=num_stages):
            T.copy(A[by * 64, bz * (K // split) + k * 64], A_shared)
            T.copy(B[bz * (K // split) + k * 64, bx * 64], B_shared)
            T.gemm(A_shared, B_shared, C_local)
        T.copy(C_local, C[bz, by * 64, bx * 64])
    return C
