"""Softmax of short rows, one warp each: nothing goes through shared memory."""

import tilelang
import tilelang.language as T


# tilescope: warp_softmax --set rows=128 --set columns=256
# tilescope: warp_softmax --set rows=64 --set columns=200 --set dtype=float32
@tilelang.jit
def warp_softmax(X, warps: int = 4, dtype: T.dtype = T.float16):
    rows, columns = T.const("rows, columns")
    X: T.Tensor((rows, columns), dtype)
    Y = T.empty((rows, columns), dtype)
    steps = T.ceildiv(columns, 32)

    with T.Kernel(T.ceildiv(rows, warps), threads=32 * warps) as block:
        own = T.alloc_local((steps,), "float32")
        row = block * warps + T.get_warp_idx()
        lane = T.get_lane_idx()
        top = T.alloc_var("float32")
        top = -T.infinity("float32")
        for i in T.serial(steps):
            own[i] = T.if_then_else(i * 32 + lane < columns, X[row, i * 32 + lane], -T.infinity("float32"))
            top = T.max(top, own[i])
        # Each lane gets the largest of all.
        for step in T.unroll(5):
            top = T.max(top, T.shfl_xor(top, 1 << step))
        total = T.alloc_var("float32")
        total = 0.0
        for i in T.serial(steps):
            own[i] = T.exp(own[i] - top)
            total += own[i]
        total = T.warp_reduce_sum(total)
        for i in T.serial(steps):
            if i * 32 + lane < columns:
                Y[row, i * 32 + lane] = own[i] / total

    return Y
