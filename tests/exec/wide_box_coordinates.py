# RUN: tilescope exec --target sm_90a %s --dim n=67108864 --witness | FileCheck %s --implicit-check-not=WRONG
# ./dev lit tests/exec/wide_box_coordinates.py
# RUN: tilescope exec --target sm_90a %s --dim n=-67108864 --witness | FileCheck %s --implicit-check-not=WRONG
# RUN: tilescope exec --target sm_90a %s --dim n=2 --witness | FileCheck %s --implicit-check-not=WRONG
# RUN: tilescope compile --target sm_90a %s -o - | FileCheck %s --check-prefix TEXT
import tilelang.language as T


# A box 2^32 elements beside the tensor brings zeros, though the coordinates of an instruction are an int.
# CHECK: {{^}}cuda {{ *}}equal
# TEXT: tma_load_2d({{.*}}, tma_coordinate(i64(n) * 64), 0);
@T.prim_func
def cut(n: T.int32, A: T.Tensor((64, 320), "float16"), C: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128):
        tile = T.alloc_shared((64, 64), "float16")
        full = T.alloc_barrier(128)
        T.tma_copy(A[0, n * 64], tile, barrier=full)
        T.barrier_arrive(full)
        T.barrier_wait(full, 0)
        T.copy(tile, C)
