# RUN: tilescope compile %s:tiles --set rows=64 -o - | FileCheck %s --check-prefix=TWO
# ./dev lit tests/passes/launch_bounds.py
# RUN: tilescope compile %s:tiles --set rows=96 -o - | FileCheck %s --check-prefix=ONE
# RUN: tilescope compile %s:tiles --set rows=96 --target sm_90a -o - | FileCheck %s --check-prefix=TWO

# Where shared memory lets a multiprocessor hold a single block, nvcc is told that one is enough.
import tilelang
import tilelang.language as T


# TWO: __launch_bounds__(128) tiles_kernel(
# ONE: __launch_bounds__(128, 1) tiles_kernel(
@tilelang.jit
def tiles(rows):
    @T.prim_func
    def main(A: T.Tensor((rows, 512), "float16"), B: T.Tensor((rows, 512), "float16")):
        with T.Kernel(1, threads=128):
            s = T.alloc_shared((rows, 512), "float16")
            T.copy(A, s)
            for i, j in T.Parallel(rows, 512):
                B[i, j] = s[rows - 1 - i, j]

    return main
