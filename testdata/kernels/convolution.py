"""A convolution as a product of matrices: rows of one are windows of the image, columns of the other are filters. Filter and
result are seen as matrices; the windows are gathered tile by tile."""
# tilescope: convolve --set images=2 --set size=16 --set channels=64 --set filters=128
# tilescope: convolve --set images=1 --set size=19 --set channels=32 --set filters=72 --set stride=2 --set dilation=2 --set pad=2
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def convolve(images, size, channels, filters, window=3, stride=1, dilation=1, pad=1, block_M=64, block_N=64, block_K=32,
             num_stages=2, threads=128):
    reach = dilation * (window - 1) + 1
    out = (size + 2 * pad - reach) // stride + 1
    taps = window * window * channels

    @T.prim_func
    def main(
            image: T.Tensor((images, size, size, channels), "float16"),
            weights: T.Tensor((window, window, channels, filters), "float16"),
            result: T.Tensor((images, out, out, filters), "float16"),
    ):
        with T.Kernel(T.ceildiv(filters, block_N), T.ceildiv(images * out * out, block_M), threads=threads) as (bx, by):
            windows = T.alloc_shared((block_M, block_K), "float16")
            taps_tile = T.alloc_shared((block_K, block_N), "float16")
            sums = T.alloc_fragment((block_M, block_N), "float32")
            weights_2d = T.Tensor((taps, filters), "float16", weights.data)
            result_2d = T.reshape(result, (images * out * out, filters))

            T.clear(sums)
            for k in T.Pipelined(T.ceildiv(taps, block_K), num_stages=num_stages):
                T.im2col(image, windows, by, k, window, stride, dilation, pad)
                T.copy(weights_2d[k * block_K, bx * block_N], taps_tile)
                T.gemm(windows, taps_tile, sums)
            T.copy(sums, result_2d[by * block_M, bx * block_N])

    return main
