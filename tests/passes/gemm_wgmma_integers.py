# Products of 8-bit integers by wgmma, signed and unsigned, both operands with k side by side.
# ./dev lit tests/passes/gemm_wgmma_integers.py
# RUN: tilescope show remarks %s --target sm_90a | FileCheck %s --check-prefix=CHOSEN
# RUN: tilescope show remarks %s --target sm_80 | FileCheck %s --check-prefix=OLDER
# RUN: tilescope show remarks %s --target sm_90a --set block_N=40 --set N=80 | FileCheck %s --check-prefix=COLUMNS
# RUN: tilescope compile %s --target sm_90a -o - | FileCheck %s
# RUN: tilescope compile %s --target sm_90a --set dtype=uint8 --set held=True -o - | FileCheck %s --check-prefix=UNSIGNED
# RUN: tilescope exec %s --target sm_90a --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --set dtype=uint8 --set block_K=128 --set threads=256 --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --set held=True --set block_K=64 --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope check %s --target sm_90a
import tilelang
import tilelang.language as T


# CHOSEN: wgmma m64n64k32, 1 x 1 warp groups, each 128 x 64 [WgmmaChosen]
# CHOSEN-NOT: mma.sync
# OLDER-NOT: Wgmma
# OLDER: mma.sync m16n8k32
# COLUMNS: this product stays with mma.sync: 128 threads do not share 128 x 40 x 32 in tiles of 64 x 16 x 32 of warp groups
# CHECK: wgmma_m64n64k32_s8_s32(int *d, u64 a, u64 b, bool clears = false) {
# CHECK: wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.s8 {
# CHECK: %32, %33, p;}"
# CHECK: "+r"(d[0]),
# CHECK: wgmma_m64n64k32_s8_s32(&C_local[i * 32], wgmma_operand<32, 16,
# UNSIGNED: wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.u8 {
# UNSIGNED: {{.*}}%32, %33, %34, %35}, %36, p;}"
# UNSIGNED: wgmma_m64n64k32_u8_s32_registers(&C_local[i * 32], &A_local[
# RUNS: cuda {{ *}}equal
# RUNS: cuda reversed {{ *}}equal
@tilelang.jit
def matmul(A, B, M: int = 256, N: int = 128, K: int = 160, block_M: int = 128, block_N: int = 64, block_K: int = 32,
           num_stages: int = 3, threads: int = 128, dtype: T.dtype = T.int8, held: bool = False):
    A: T.Tensor[[M, K], dtype]
    B: T.Tensor[[N, K], dtype]
    C = T.empty([M, N], T.int32)

    with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=threads) as (bx, by):
        A_shared = T.alloc_shared((block_M, block_K), dtype)
        B_shared = T.alloc_shared((block_N, block_K), dtype)
        A_local = T.alloc_fragment((block_M, block_K), dtype)
        C_local = T.alloc_fragment((block_M, block_N), T.int32)
        T.clear(C_local)
        for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=num_stages):
            T.copy(A[by * block_M, k * block_K], A_shared)
            T.copy(B[bx * block_N, k * block_K], B_shared)
            if held:
                T.copy(A_shared, A_local)
                T.gemm(A_local, B_shared, C_local, transpose_B=True)
            else:
                T.gemm(A_shared, B_shared, C_local, transpose_B=True)
        T.copy(C_local, C[by * block_M, bx * block_N])
    return C
