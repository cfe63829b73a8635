# The sum of all elements in one launch: each block sums its own part, all blocks meet, and one adds
# up what they have left, in the order of the blocks. The others share in what comes behind: each
# divides its part by the sum.
#
# tilescope: grid_sum
# tilescope: grid_sum --set blocks=5 --set length=3000 --set threads=64
import tilelang
import tilelang.language as T


@tilelang.jit
def grid_sum(blocks=4, length=2048, threads=128):
    part = -(-length // blocks)

    @T.prim_func
    def main(
        A: T.Tensor((length,), "float32"),
        sums: T.Tensor((blocks,), "float32"),
        shares: T.Tensor((length,), "float32"),
    ):
        with T.Kernel(blocks, threads=threads) as block:
            tx = T.get_thread_binding()
            own = T.alloc_shared((threads,), "float32")
            total = T.alloc_var("float32")
            total = 0.0
            for step in T.serial(T.ceildiv(part, threads)):
                if step * threads + tx < part:
                    if block * part + step * threads + tx < length:
                        total = total + T.abs(A[block * part + step * threads + tx])
            own[tx] = total
            T.sync_threads()
            if tx == 0:
                total = 0.0
                for i in T.serial(threads):
                    total = total + own[i]
                sums[block] = total
            T.sync_grid()
            total = 0.0
            for i in T.serial(blocks):
                total = total + sums[i]
            for step in T.serial(T.ceildiv(part, threads)):
                if step * threads + tx < part:
                    if block * part + step * threads + tx < length:
                        shares[block * part + step * threads + tx] = (
                            A[block * part + step * threads + tx] / (total + 1.0)
                        )

    return main
