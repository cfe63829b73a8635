# tilescope-ir 1
# ./dev lit tests/ops/cummax.py
# RUN: tilescope opt --passes '' %s | FileCheck %s
# RUN: tilescope opt %s --passes inject-pipeline,infer-layouts,lower-tile-ops | FileCheck %s --check-prefix=LOWERED

@T.prim_func(properties=["tile"])
def largest():
    tile = T.alloc_shared((4, 64), "int32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.cumsum(tile[0:4, 0:64], tile[0:4, 0:64], dim=1, kind="max"){{$}}
        # LOWERED: tile_sum[0] = -2147483648
        # LOWERED: tile_sum[0] = T.max(tile_sum[0], tile[
        # LOWERED: T.shuffle(tile_other[0], tile_sum[0], 1, kind="up")
        # LOWERED-NEXT: tile_sum[0] = T.max(tile_sum[0], tile_other[0]) if 0 < tx % 32 else tile_sum[0]
        # LOWERED: tile_sum[0] = tile_other[0] if 0 < tx % 32 else -2147483648
        T.cumsum(tile[0:4, 0:64], tile[0:4, 0:64], dim=1, kind="max")
