"""Assertions, to whose condition TileLang gives a name, and element types by their names."""
# tilescope: checked
# tilescope: checked --set dtype=int64
import tilelang
import tilelang.language as T


@tilelang.jit
def checked(n=64, dtype: T.dtype = T.int32):
    per_row = 256 // dtype.bits

    @T.prim_func
    def main(A: T.Tensor((n,), dtype), B: T.Tensor((n,), dtype)):
        with T.Kernel(T.ceildiv(n, per_row), threads=32) as bx:
            T.device_assert(A[bx] <= 2, "more than two")
            T.device_assert(bx < n)
            for i in T.Parallel(per_row):
                B[bx * per_row + i] = A[bx * per_row + i]

    return main
