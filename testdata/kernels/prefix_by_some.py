# How many values of each row come before each of its buckets: all threads count into the buckets,
# the first 64 add the counts up between them, at a barrier of their own, and all read the sums.
# The other warps write something else meanwhile.
#
# tilescope: prefix_by_some
# tilescope: prefix_by_some --set rows=3 --set length=1000 --set threads=256
import tilelang
import tilelang.language as T

BUCKETS = 64


@tilelang.jit
def prefix_by_some(rows=4, length=512, threads=128):
    @T.prim_func
    def main(
        keys: T.Tensor((rows, length), "int32"),
        before: T.Tensor((rows, BUCKETS), "int32"),
        marks: T.Tensor((rows, threads), "int32"),
    ):
        with T.Kernel(rows, threads=threads) as row:
            tx = T.get_thread_binding()
            counts = T.alloc_shared((BUCKETS,), "int32")
            own = T.alloc_var("int32")
            if tx < BUCKETS:
                counts[tx] = 0
            T.sync_threads()
            for step in T.serial(T.ceildiv(length, threads)):
                if step * threads + tx < length:
                    T.atomic_add(counts[keys[row, step * threads + tx] & (BUCKETS - 1)], 1)
            T.sync_threads()
            if tx < BUCKETS:
                for distance in (1, 2, 4, 8, 16, 32):
                    own = counts[tx]
                    if tx >= distance:
                        own = own + counts[tx - distance]
                    T.sync_threads(1, BUCKETS)
                    counts[tx] = own
                    T.sync_threads(1, BUCKETS)
                own = 0
                if tx > 0:
                    own = counts[tx - 1]
                before[row, tx] = own
            else:
                marks[row, tx] = tx * 3 + row

    return main
