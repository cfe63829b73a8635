# Products by wgmma, or a remark says why not.
# ./dev lit tests/passes/gemm_wgmma.py
# RUN: tilescope show remarks %s --target sm_90a | FileCheck %s --check-prefix=CHOSEN
# RUN: tilescope show remarks %s | FileCheck %s --check-prefix=OLDER
# RUN: tilescope show remarks %s --target sm_90 | FileCheck %s --check-prefix=OLDER
# RUN: tilescope show remarks %s --target sm_90a --pass-option infer-layouts.wgmma=false | FileCheck %s --check-prefix=OLDER
# RUN: tilescope show remarks %s --target sm_90a --set dtype=float32 | FileCheck %s --check-prefix=TYPES
# RUN: tilescope show remarks %s --target sm_90a --set threads=64 | FileCheck %s --check-prefix=THREADS
# RUN: tilescope compile %s --target sm_90a -o - | FileCheck %s
# RUN: tilescope exec %s --target sm_90a --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --set dtype=bfloat16 --set threads=256 --set block_N=256 --set N=512 --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --set accum=float16 --set block_N=96 --set N=192 --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope check %s --target sm_90a
import tilelang
import tilelang.language as T


# CHOSEN: wgmma m64n64k16, 1 x 1 warp groups, each 128 x 64 [WgmmaChosen]
# CHOSEN-NOT: mma.sync
# OLDER-NOT: Wgmma
# OLDER: mma.sync m16n8k16
# OLDER-NOT: Wgmma
# TYPES: this product stays with mma.sync: it multiplies float32 by float32 into float32 [NoWgmma]
# THREADS: this product stays with mma.sync: 64 threads do not share 128 x 64 x 32 in tiles of 64 x 64 x 16 of warp groups [NoWgmma]
# CHECK: fence_proxy_async();
# CHECK-NEXT: __syncthreads();
# CHECK: wgmma_fence<64>(C_local);
# CHECK: wgmma_m64n64k16_f16_f32<0, 1>(&C_local[i * 32], wgmma_operand<64, 16,
# CHECK-NEXT: 512>(shared_address(&A_shared_k[A_shared_at(i * 64, 0)]), A_shared_at(0, k_step * 16) * 2),
# CHECK-NEXT: wgmma_operand<128, 4096, 1024>(shared_address(&B_shared_k[B_shared_at(0, 0)]),
# CHECK-NEXT: B_shared_at(k_step * 16, 0) * 2));
# CHECK: wgmma_commit();
# CHECK: wgmma_wait<0>();
# RUNS: cuda {{ *}}equal
# RUNS: cuda reversed {{ *}}equal
@tilelang.jit
def matmul(A, B, M: int = 256, N: int = 128, K: int = 160, block_M: int = 128, block_N: int = 64, block_K: int = 32,
           num_stages: int = 3, threads: int = 128, dtype: T.dtype = T.float16, accum: T.dtype = T.float32):
    A: T.Tensor[[M, K], dtype]
    B: T.Tensor[[K, N], dtype]
    C = T.empty([M, N], dtype)

    with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=threads) as (bx, by):
        A_shared = T.alloc_shared((block_M, block_K), dtype)
        B_shared = T.alloc_shared((block_K, block_N), dtype)
        C_local = T.alloc_fragment((block_M, block_N), accum)
        T.clear(C_local)
        for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=num_stages):
            T.copy(A[by * block_M, k * block_K], A_shared)
            T.copy(B[k * block_K, bx * block_N], B_shared)
            T.gemm(A_shared, B_shared, C_local)
        T.copy(C_local, C[by * block_M, bx * block_N])
    return C
