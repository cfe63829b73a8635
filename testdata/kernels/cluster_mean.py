# Each row less its mean, by a cluster of blocks a row: each block sums its part of the row, all of the
# cluster meet, and each adds up what they have left, in the order of their ranks.
#
# tilescope: cluster_mean --target sm_90a
# tilescope: cluster_mean --set rows=3 --set parts=2 --set length=512 --set threads=64 --target sm_90a
import tilelang
import tilelang.language as T


@tilelang.jit
def cluster_mean(rows=4, parts=4, length=1024, threads=128):
    part = length // parts

    @T.prim_func
    def main(
        A: T.Tensor((rows, length), "float32"),
        sums: T.Tensor((rows, parts), "float32"),
        B: T.Tensor((rows, length), "float32"),
    ):
        with T.ClusterKernel(parts, rows, threads=threads, cluster_dims=(parts, 1, 1)) as (bx, row):
            rank = T.block_rank_in_cluster()
            tile = T.alloc_fragment((part,), "float32")
            total = T.alloc_fragment((1,), "float32")
            mean = T.alloc_var("float32")
            T.copy(A[row, rank * part : (rank + 1) * part], tile)
            T.reduce_sum(tile, total, dim=0)
            sums[row, rank] = total[0]
            T.cluster_sync()
            mean = 0.0
            for other in T.serial(T.get_cluster_size()):
                mean = mean + sums[row, other]
            mean = mean / length
            for i in T.Parallel(part):
                B[row, rank * part + i] = tile[i] - mean

    return main
