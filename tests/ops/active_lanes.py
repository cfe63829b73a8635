# tilescope-ir 1
# ./dev lit tests/ops/active_lanes.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

@T.prim_func(properties=["tile"])
def active_lanes_form():
    lanes = T.alloc_local((1,), "uint64")
    with T.Kernel(1, threads=32) as (bx, tx):
        # CHECK: T.active_lanes(lanes[0]){{$}}
        T.active_lanes(lanes[0])
