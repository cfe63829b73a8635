# Products of fp8 by wgmma: operands of either kind, both with k side by side.
# ./dev lit tests/passes/gemm_wgmma_float8.py
# RUN: tilescope show remarks %s --target sm_90a | FileCheck %s --check-prefix=CHOSEN
# RUN: tilescope show remarks %s --target sm_89 | FileCheck %s --check-prefix=OLDER
# RUN: tilescope show remarks %s --target sm_90a --set transpose_B=False | FileCheck %s --check-prefix=ROWS
# RUN: tilescope show remarks %s --target sm_90a --set transpose_A=True | FileCheck %s --check-prefix=COLUMNS
# RUN: tilescope compile %s --target sm_90a -o - | FileCheck %s
# RUN: tilescope exec %s --target sm_90a --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --set right=float8_e5m2 --set block_K=128 --set threads=256 --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --set left=float8_e5m2 --set accum=float16 --set block_N=72 --set N=144 --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --set held=True --set block_K=64 --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope check %s --target sm_90a
import tilelang
import tilelang.language as T


# CHOSEN: wgmma m64n64k32, 1 x 1 warp groups, each 128 x 64 [WgmmaChosen]
# CHOSEN-NOT: mma.sync
# OLDER-NOT: Wgmma
# OLDER: mma.sync m16n8k32
# ROWS: this product stays with mma.sync: 'B_shared' is of float8_e4m3fn and has k as its rows, not side by side [NoWgmma]
# COLUMNS: this product stays with mma.sync: 'A_shared' is of float8_e4m3fn and has k as its rows, not side by side [NoWgmma]
# CHECK: // Operands run along K.
# CHECK: wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3 {
# CHECK: p, 1, 1;}"
# CHECK: : "l"(a), "l"(b), "r"(int(clears)));
# CHECK: fence_proxy_async();
# CHECK: wgmma_m64n64k32_e4m3_f32(&C_local[i * 32], wgmma_operand<32, 16,
# CHECK: wgmma_commit();
# CHECK: wgmma_wait<0>();
# RUNS: cuda {{ *}}equal
# RUNS: cuda reversed {{ *}}equal
@tilelang.jit
def matmul(A, B, M: int = 256, N: int = 128, K: int = 160, block_M: int = 128, block_N: int = 64, block_K: int = 32,
           num_stages: int = 3, threads: int = 128, left: T.dtype = T.float8_e4m3fn, right: T.dtype = T.float8_e4m3fn,
           accum: T.dtype = T.float32, transpose_A: bool = False, transpose_B: bool = True, held: bool = False):
    A: T.Tensor[[K, M] if transpose_A else [M, K], left]
    B: T.Tensor[[N, K] if transpose_B else [K, N], right]
    C = T.empty([M, N], T.float32)

    with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=threads) as (bx, by):
        A_shared = T.alloc_shared((block_K, block_M) if transpose_A else (block_M, block_K), left)
        B_shared = T.alloc_shared((block_N, block_K) if transpose_B else (block_K, block_N), right)
        A_local = T.alloc_fragment((block_M, block_K), left)
        C_local = T.alloc_fragment((block_M, block_N), accum)
        T.clear(C_local)
        for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=num_stages):
            if transpose_A:
                T.copy(A[k * block_K, by * block_M], A_shared)
            else:
                T.copy(A[by * block_M, k * block_K], A_shared)
            if transpose_B:
                T.copy(B[bx * block_N, k * block_K], B_shared)
            else:
                T.copy(B[k * block_K, bx * block_N], B_shared)
            if held:
                T.copy(A_shared, A_local)
                T.gemm(A_local, B_shared, C_local, transpose_B=True)
            else:
                T.gemm(A_shared, B_shared, C_local, transpose_A=transpose_A, transpose_B=transpose_B)
        T.copy(C_local, C[by * block_M, bx * block_N])
    return C
