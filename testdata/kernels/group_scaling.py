"""Scales each group of a row by its largest magnitude: the groups are an axis of the reshaped tile."""
# tilescope: scale --set M=64 --set N=512
# tilescope: scale --set M=50 --set N=256 --set group=64 --set rows=8
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[1, 2])
def scale(M, N, group=128, rows=4, threads=128):
    groups = N // group

    @T.prim_func
    def main(
            X: T.Tensor((M, N), "float32"),
            Y: T.Tensor((M, N), "float16"),
            S: T.Tensor((M, groups), "float32"),
    ):
        with T.Kernel(T.ceildiv(M, rows), threads=threads) as block:
            x = T.alloc_shared((rows, N), "float32")
            by_group = T.reshape(x, (rows, groups, group))
            values = T.alloc_fragment((rows, groups, group), "float32")
            largest = T.alloc_fragment((rows, groups), "float32")

            T.copy(X[block * rows, 0], x)
            T.copy(by_group, values)
            T.reduce_absmax(values, largest, dim=2)
            for i, g in T.Parallel(rows, groups):
                largest[i, g] = T.max(largest[i, g], 1e-4)
            for i, g, k in T.Parallel(rows, groups, group):
                by_group[i, g, k] = values[i, g, k] / largest[i, g]
            T.copy(x, Y[block * rows, 0])
            T.copy(largest, S[block * rows, 0])

    return main
