# RUN: tilescope opt --passes simplify %s:kernel | FileCheck %s
# ./dev lit tests/frontend/im2col.py
# RUN: tilescope compile %s:pipelined | FileCheck %s --check-prefix=WIDE
# RUN: tilescope exec %s:pipelined --every-pass --witness

# T.im2col gathers windows of an image: a row is a position of the window, a column one of its elements.
import tilelang.language as T


@T.prim_func
def kernel(image: T.Tensor((2, 8, 8, 16), "float16")):
    with T.Kernel(2, threads=128) as bx:
        tile = T.alloc_shared((64, 32), "float16")
        # CHECK: for i, j in T.Parallel(64, 32):
        # CHECK-NEXT: tile[i, j] = image[bx, i // 8 + (32 + j) // 48 + -1, i % 8 + (32 + j) // 16 % 3 + -1, j % 16] if i // 8
        T.im2col(image, tile, bx, 1, 3, 1, 1, 1)


# A tile of channels of one position is adjacent: the pipeline starts copies of 16 bytes.
# WIDE: cp_async<16>(&tile_v0[tile_at(i, j)], &image[
# WIDE: for (int k = 0; k < 18; ++k)
# WIDE: cp_async<16>(&tile_{{.*}}, &image[
# WIDE-NEXT: (k + 1) % 2 * 32 + j
@T.prim_func
def pipelined(
    image: T.Tensor((2, 8, 8, 64), "float16"),
    weights: T.Tensor((576, 32), "float16"),
    result: T.Tensor((128, 32), "float16"),
):
    with T.Kernel(2, threads=128) as bx:
        tile = T.alloc_shared((64, 32), "float16")
        taps = T.alloc_shared((32, 32), "float16")
        sums = T.alloc_fragment((64, 32), "float32")
        T.clear(sums)
        for k in T.Pipelined(18, num_stages=2):
            T.im2col(image, tile, bx, k, 3, 1, 1, 1)
            T.copy(weights[k * 32 : k * 32 + 32, :], taps)
            T.gemm(tile, taps, sums)
        T.copy(sums, result[bx * 64 : bx * 64 + 64, :])
