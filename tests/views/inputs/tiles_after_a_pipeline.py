"""Tiles that follow a pipelined loop or each other, and where barriers stand by the way."""
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def scaled_product(K, stages=3):
    """A product, its columns scaled by a row that is staged, then the tile itself staged."""

    @T.prim_func
    def main(
            X: T.Tensor((256, K), "float16"),
            Y: T.Tensor((K, 128), "float16"),
            scale: T.Tensor((128,), "float16"),
            Z: T.Tensor((256, 128), "float16"),
    ):
        with T.Kernel(2, threads=128) as row:
            left = T.alloc_shared((128, 32), "float16")
            right = T.alloc_shared((32, 128), "float16")
            factors = T.alloc_shared((128,), "float16")
            tile = T.alloc_shared((128, 128), "float16")
            product = T.alloc_fragment((128, 128), "float32")
            T.clear(product)
            for step in T.Pipelined(K // 32, num_stages=stages):
                T.copy(X[row * 128, step * 32], left)
                T.copy(Y[step * 32, 0], right)
                T.gemm(left, right, product)
            T.copy(scale, factors)
            for i, j in T.Parallel(128, 128):
                product[i, j] *= factors[j]
            T.copy(product, tile)
            T.copy(tile, Z[row * 128, 0])

    return main


@tilelang.jit(out_idx=[-1])
def centred_rows(N):
    """Rows less their mean, through tiles and with two sums over all threads."""

    @T.prim_func
    def main(X: T.Tensor((64, N), "float16"), shift: T.Tensor((N,), "float16"), Y: T.Tensor((64, N), "float16")):
        with T.Kernel(8, threads=256) as block:
            taken = T.alloc_shared((8, N), "float16")
            shifts = T.alloc_shared((N,), "float16")
            more = T.alloc_shared((N,), "float16")
            given = T.alloc_shared((8, N), "float16")
            rows = T.alloc_fragment((8, N), "float32")
            squares = T.alloc_fragment((8, N), "float32")
            mean = T.alloc_fragment((8,), "float32")
            spread = T.alloc_fragment((8,), "float32")
            T.copy(X[block * 8, 0], taken)
            T.copy(taken, rows)
            T.reduce_sum(rows, mean, dim=1)
            for i, j in T.Parallel(8, N):
                squares[i, j] = (rows[i, j] - mean[i] / N) * (rows[i, j] - mean[i] / N)
            T.reduce_sum(squares, spread, dim=1)
            T.copy(shift, shifts)
            T.copy(shift, more)
            for i, j in T.Parallel(8, N):
                given[i, j] = T.cast((rows[i, j] - mean[i] / N) / (1 + spread[i]) * shifts[j] + more[j], "float16")
            T.copy(given, Y[block * 8, 0])

    return main
