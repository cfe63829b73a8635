"""Rows chosen by an index that a kernel loads, each once: the second time its flag is down."""
import tilelang
import tilelang.language as T


@tilelang.jit
def gather(rows=64, columns=96, count=80, threads=64):
    @T.prim_func
    def main(
            A: T.Tensor((rows, columns), "float32"),
            table: T.Tensor((count,), "int32"),
            flags: T.Tensor((count,), "int32"),
            B: T.Tensor((count, columns), "float32"),
    ):
        with T.Kernel(T.ceildiv(count, threads), threads=threads) as bx:
            for j in T.serial(columns):
                for i in T.Parallel(threads):
                    if bx * threads + i < count:
                        B[bx * threads + i, j] = A[table[bx * threads + i], j] * T.cast(flags[bx * threads + i], "float32")
            for i in T.Parallel(threads):
                if bx * threads + i < count:
                    if flags[bx * threads + i] > 0:
                        B[bx * threads + i, 0] = A[table[bx * threads + i], 0] + 1.0
                        flags[bx * threads + i] = 0

    return main
