# What has one axis comes by TMA as a row, in order, and a warp of its own copies it with the tiles.
# ./dev lit tests/passes/rows_by_tma.py
# RUN: tilescope show remarks %s --target sm_90a | FileCheck %s --check-prefix=CHOSEN
# RUN: tilescope show remarks %s --target sm_90a --set block_N=16 | FileCheck %s --check-prefix=SHORT
# RUN: tilescope compile %s --target sm_90a -o - | FileCheck %s
# RUN: tilescope compile %s --target sm_90a --set block_N=512 --set N=1024 --set num_stages=1 -o - | FileCheck %s --check-prefix=TWO
# RUN: tilescope exec %s --target sm_90a --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --set N=200 --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --pass-option inject-pipeline.roles=false --pass-option inject-pipeline.tma=true --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope check %s --target sm_90a
# RUN: tilescope check %s --target sm_90a --pass-option inject-pipeline.roles=false --pass-option inject-pipeline.tma=true
import tilelang
import tilelang.language as T


# CHOSEN: 'B' to 'B_shared' by TMA, 8192 bytes an iteration
# CHOSEN: 'scale' to 'scale_shared' by TMA, 256 bytes an iteration
# CHOSEN: 'scale_shared' gets layout aligned_row_major [LayoutChosen]
# SHORT: 'scale' to 'scale_shared' not by TMA: the bytes of 'scale_shared' are no multiple of 128 [CopyNotByTma]
# CHECK: // scale_map: boxes of 1 x 64 elements of scale{{$}}
# CHECK: // scale_shared: float32[64], aligned_row_major, 2 versions
# CHECK: tma_load_2d(scale_shared_k1, scale_map, scale_shared_full_k1, (k + 1) * 64, bx);
# CHECK: encode_tensor_map(scale_map, 7, scale, {u64(256), u64(2)}, {u64(1024)}, {64, 1},
# TWO: tma_load_2d(scale_shared, scale_map, scale_shared_full, k * 512, bx);
# TWO-NEXT: tma_load_2d(&scale_shared[256], scale_map, scale_shared_full, k * 512 + 256, bx);
# RUNS: cuda {{ *}}equal
# RUNS: cuda reversed {{ *}}equal
@tilelang.jit(out_idx=[3])
def scaled(N: int = 256, block_N: int = 64, num_stages: int = 2, threads: int = 128):
    @T.prim_func
    def main(A: T.Tensor((2, 64, 64), "float16"), B: T.Tensor((2, N, 64), "float16"), scale: T.Tensor((2, N), "float32"),
             C: T.Tensor((2, 64, 64), "float32")):
        with T.Kernel(2, threads=threads) as bx:
            A_shared = T.alloc_shared((64, 64), "float16")
            B_shared = T.alloc_shared((block_N, 64), "float16")
            scale_shared = T.alloc_shared((block_N,), "float32")
            product = T.alloc_fragment((64, block_N), "float32")
            weights = T.alloc_fragment((64, block_N), "float16")
            sums = T.alloc_fragment((64, 64), "float32")
            T.copy(A[bx, 0:64, 0:64], A_shared)
            T.clear(sums)
            for k in T.Pipelined(T.ceildiv(N, block_N), num_stages=num_stages):
                T.copy(B[bx, k * block_N:(k + 1) * block_N, 0:64], B_shared)
                T.copy(scale[bx, k * block_N:(k + 1) * block_N], scale_shared)
                T.clear(product)
                T.gemm(A_shared, B_shared, product, transpose_B=True)
                for i, j in T.Parallel(64, block_N):
                    weights[i, j] = product[i, j] * scale_shared[j]
                T.gemm(weights, B_shared, sums)
            T.copy(sums, C[bx, 0:64, 0:64])

    return main
