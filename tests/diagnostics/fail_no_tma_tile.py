# RUN: not tilescope compile --target sm_90a %s:tiles --set shape="(64,)" 2>&1 | FileCheck %s --check-prefix AXIS
# ./dev lit tests/diagnostics/fail_no_tma_tile.py
# RUN: not tilescope compile --target sm_90a %s:tiles --set shape="(2,64,64)" 2>&1 | FileCheck %s
# RUN: not tilescope compile --target sm_90a %s:part 2>&1 | FileCheck %s --check-prefix PART
# RUN: not tilescope compile --target sm_90a %s:rows --set stride=100 2>&1 | FileCheck %s --check-prefix ODD
# RUN: not tilescope compile --target sm_90a %s:rows --set stride=0 2>&1 | FileCheck %s --check-prefix ONTOP
# RUN: not tilescope compile --target sm_90a %s:rows --set 'stride="n"' 2>&1 | FileCheck %s --check-prefix UNKNOWN
# RUN: not tilescope compile --target sm_90a %s:rows --set stride=128 --set step=2 2>&1 | FileCheck %s --check-prefix APART
# RUN: tilescope compile --target sm_90a %s:rows --set stride=104 -o - | FileCheck %s --check-prefix FITS
# Of a tile that no box fills nothing says how it lies, so that lowering can say why.
import tilelang
import tilelang.language as T


@tilelang.jit
def tiles(shape):
    @T.prim_func
    def main(X: T.Tensor(shape, "float16")):
        with T.Kernel(1, threads=128):
            tile = T.alloc_shared(shape, "float16")
            full = T.alloc_barrier(1)
            # CHECK: [[# @LINE + 2]]:{{.*}}error: 'tile' cannot be lowered: TMA cannot copy it: 'tile' is not moved as a whole, a matrix of constant extents
            # AXIS: [[# @LINE + 1]]:{{.*}}error: 'tile' cannot be lowered: TMA cannot copy it: 'X' has 1 dimensions, not 2 to 5
            T.tma_copy(X, tile, barrier=full)

    return main


n = T.dynamic("n")


@T.prim_func
def part(X: T.Tensor((64, n * 64), "float16")):
    with T.Kernel(1, threads=128):
        tile = T.alloc_shared((64, n * 64), "float16")
        full = T.alloc_barrier(1)
        # PART: [[# @LINE + 1]]:{{.*}}error: 'tile' cannot be lowered: TMA cannot copy it: 'tile' is not moved as a whole, a matrix of constant extents
        T.tma_copy(X[0:64, 0:64], tile[0:64, 0:64], barrier=full)


@tilelang.jit
def rows(stride, step: int = 1):
    apart = T.dynamic(stride) if isinstance(stride, str) else stride

    @T.prim_func
    def main(X: T.StridedTensor((64, 64), (apart, step), "float16"), Y: T.Tensor((64, 64), "float16")):
        with T.Kernel(1, threads=128):
            tile = T.alloc_shared((64, 64), "float16")
            full = T.alloc_barrier(128)
            # ODD: [[# @LINE + 5]]:{{.*}}error: 'tile' cannot be lowered: TMA cannot copy it: the stride of 'X', 200 bytes, is no multiple of 16
            # ONTOP: [[# @LINE + 4]]:{{.*}}error: 'tile' cannot be lowered: TMA cannot copy it: 'X' has no map: its rows are 0 bytes apart
            # UNKNOWN: [[# @LINE + 3]]:{{.*}}error: 'tile' cannot be lowered: TMA cannot copy it: the stride of 'X' may be no multiple of 16 bytes
            # APART: [[# @LINE + 2]]:{{.*}}error: 'tile' cannot be lowered: TMA cannot copy it: elements of a row of 'X' do not lie side by side
            # FITS: tma_load_2d(
            T.tma_copy(X[0:64, 0:64], tile, barrier=full)
            T.barrier_arrive(full)
            T.barrier_wait(full, 0)
            T.copy(tile, Y)

    return main
