"""Shared memory whose size is known only at launch: a row of any length is held whole."""
# tilescope-run: --dim m=7 --dim n=1000
# tilescope: standardise
# tilescope-run: --dim m=5 --dim n=513
# tilescope: standardise --set block=256 --set num_stages=2
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def standardise(block=128, num_stages=0, threads=128):
    """B = (A - mean) / deviation, each row for itself; A is read once."""
    m = T.dynamic("m")
    n = T.dynamic("n")

    @T.prim_func
    def main(
            A: T.Tensor((m, n), "float32"),
            B: T.Tensor((m, n), "float32"),
    ):
        with T.Kernel(m, threads=threads) as row:
            padded = T.ceildiv(n, block) * block
            tile = T.alloc_shared((block,), "float32")
            values = T.alloc_shared((padded,), "float32")
            squares = T.alloc_shared((padded,), "float16")
            part = T.alloc_fragment((block,), "float32")
            part_sum = T.alloc_fragment((1,), "float32")
            mean = T.alloc_fragment((1,), "float32")
            deviation = T.alloc_fragment((1,), "float32")
            T.clear(mean)
            T.clear(deviation)
            for k in T.Pipelined(T.ceildiv(n, block), num_stages=num_stages):
                T.copy(A[row, k * block:(k + 1) * block], tile)
                T.copy(tile, values[k * block:(k + 1) * block])
                T.reduce_sum(tile, mean, dim=0, clear=False)
            mean[0] = mean[0] / n
            for k in T.serial(T.ceildiv(n, block)):
                for i in T.Parallel(block):
                    part[i] = T.if_then_else(k * block + i < n,
                                             values[k * block + i] - mean[0], 0.0)
                    squares[k * block + i] = part[i] * part[i]
                T.copy(squares[k * block:(k + 1) * block], part)
                T.reduce_sum(part, part_sum, dim=0)
                deviation[0] = deviation[0] + part_sum[0]
            for k in T.serial(T.ceildiv(n, block)):
                for i in T.Parallel(block):
                    if k * block + i < n:
                        B[row, k * block + i] = ((values[k * block + i] - mean[0])
                                                 * T.rsqrt(deviation[0] / n + 1e-5))

    return main
