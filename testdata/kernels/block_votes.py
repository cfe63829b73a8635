"""How often each of a few values occurs, and whether a block has any: by votes of threads, without an atomic."""

import tilelang
import tilelang.language as T


# tilescope: block_histogram --set n=4096
# tilescope: block_histogram --set n=1000 --set bins=5 --set threads=96
@tilelang.jit
def block_histogram(X, bins: int = 8, threads: int = 128):
    n = T.const("n")
    X: T.Tensor((n,), "int32")
    blocks = T.ceildiv(n, threads)
    counts = T.empty((blocks, bins), "int32")
    most_in_warp = T.empty((blocks, threads // 32), "int32")
    alone = T.empty((blocks, threads), "bool")

    with T.Kernel(blocks, threads=threads) as block:
        thread = T.get_thread_binding()
        value = T.alloc_var("int32")
        value = -1
        if block * threads + thread < n:
            value = X[block * threads + thread] % bins
        # A whole block of one value needs one count.
        if T.syncthreads_and(value == 0) != 0:
            if thread < bins:
                counts[block, thread] = T.if_then_else(thread == 0, threads, 0)
        else:
            for bin in T.serial(bins):
                count = T.syncthreads_count(value == bin)
                if thread == 0:
                    counts[block, bin] = count
        most = T.alloc_var("int32")
        most = 0
        for bin in T.serial(bins):
            lanes = T.ballot(value == bin)
            found = T.alloc_var("int32")
            found = 0
            for lane in T.serial(32):
                found += T.cast((lanes >> T.cast(lane, "uint64")) & T.uint64(1), "int32")
            most = T.max(most, found)
        if T.get_lane_idx() == 0:
            most_in_warp[block, T.get_warp_idx()] = most
        same = T.match_any_sync(value)
        alone[block, thread] = (same & (same - T.uint32(1))) == T.uint32(0)

    return counts, most_in_warp, alone
