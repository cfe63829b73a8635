"""What rows of flags have in common, which bits occur an odd number of times, and the largest number so far."""

import tilelang
import tilelang.language as T


# tilescope: row_flags --set rows=64 --set columns=128
# tilescope: row_flags --set rows=32 --set columns=96 --set block_rows=16 --set threads=64
@tilelang.jit
def row_flags(X, block_rows: int = 32, threads: int = 128):
    rows, columns = T.const("rows, columns")
    X: T.Tensor((rows, columns), "int32")
    common = T.empty((rows,), "int32")
    present = T.empty((rows,), "int32")
    odd = T.empty((rows,), "int32")
    largest = T.empty((rows, columns), "int32")
    blank = T.empty((rows,), "int32")

    with T.Kernel(T.ceildiv(rows, block_rows), threads=threads) as block:
        tile = T.alloc_shared((block_rows, columns), "int32")
        flags = T.alloc_fragment((block_rows, columns), "int32")
        row_common = T.alloc_fragment((block_rows,), "int32")
        row_present = T.alloc_fragment((block_rows,), "int32")
        row_odd = T.alloc_fragment((block_rows,), "int32")
        T.copy(X[block * block_rows, 0], tile)
        T.copy(tile, flags)
        T.reduce_bitand(flags, row_common, dim=1)
        T.reduce_bitor(flags, row_present, dim=1)
        T.reduce_bitxor(flags, row_odd, dim=1)
        T.copy(row_common, common[block * block_rows])
        T.copy(row_present, present[block * block_rows])
        T.copy(row_odd, odd[block * block_rows])
        thread = T.get_thread_binding()
        if thread < block_rows:
            blank[block * block_rows + thread] = T.if_then_else(T.any_of(tile[thread, 0:columns]), 0, 1)
        T.cummax(tile, dim=1)
        T.copy(tile, largest[block * block_rows, 0])

    return common, present, odd, largest, blank
