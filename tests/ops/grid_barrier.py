# tilescope-ir 1
# ./dev lit tests/ops/grid_barrier.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def grid_barrier_forms(
@T.prim_func(properties=["tile"])
def grid_barrier_forms(B: T.Tensor((4,), "float32")):
    with T.Kernel(4, threads=32) as (bx, tx):
        # CHECK: T.grid_barrier(){{$}}
        T.grid_barrier()
