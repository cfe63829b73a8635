"""Sums of prefixes of rows by the threads themselves: lanes of a warp by shuffles, warps through shared memory."""

import tilelang
import tilelang.language as T


# tilescope: warp_scan --set rows=64 --set columns=256
# tilescope: warp_scan --set rows=8 --set columns=1024 --set dtype=int32
@tilelang.jit
def warp_scan(X, dtype: T.dtype = T.float32):
    rows, columns = T.const("rows, columns")
    X: T.Tensor((rows, columns), dtype)
    sums = T.empty((rows, columns), dtype)

    with T.Kernel(rows, threads=columns) as row:
        of_warps = T.alloc_shared((columns // 32,), dtype)
        column = T.get_thread_binding()
        lane = T.get_lane_idx()
        warp = T.get_warp_idx()
        total = T.alloc_var(dtype)
        total = X[row, column]
        for step in T.unroll(5):
            before = T.shfl_up(total, 1 << step)
            if lane >= (1 << step):
                total += before
        if lane == 31:
            of_warps[warp] = total
        T.sync_threads()
        if warp == 0:
            part = T.alloc_var(dtype)
            part = 0
            if lane < columns // 32:
                part = of_warps[lane]
            for step in T.unroll(5):
                before = T.shfl_up(part, 1 << step)
                if lane >= (1 << step):
                    part += before
            if lane < columns // 32:
                of_warps[lane] = part
        T.sync_threads()
        if warp > 0:
            total += of_warps[warp - 1]
        sums[row, column] = total

    return sums
