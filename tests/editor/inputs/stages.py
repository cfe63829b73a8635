"""A pipelined copy that two instances compile; the second with no room for its stages."""
# tilescope: stages --set rows=64
# tilescope: stages --set rows=512 --set num_stages=4
import tilelang
import tilelang.language as T


@tilelang.jit
def stages(rows, num_stages=2, count=1024):
    @T.prim_func
    def main(A: T.Tensor((count, 64), "float16"), B: T.Tensor((count, 64), "float16")):
        with T.Kernel(1, threads=128):
            tile = T.alloc_shared((rows, 64), "float16")
            sums = T.alloc_fragment((rows, 64), "float16")
            T.clear(sums)
            for step in T.Pipelined(count // rows, num_stages=num_stages):
                T.copy(A[step * rows, 0], tile)
                for row, column in T.Parallel(rows, 64):
                    sums[row, column] += tile[row, column]
            T.copy(sums, B[0, 0])

    return main
