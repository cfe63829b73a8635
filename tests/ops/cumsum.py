# tilescope-ir 1
# ./dev lit tests/ops/cumsum.py
# RUN: tilescope opt --passes '' %s | FileCheck %s
# RUN: tilescope opt %s --passes inject-pipeline,infer-layouts,lower-tile-ops | FileCheck %s --check-prefix=LOWERED

# CHECK-LABEL: def cumsum_forms(
# LOWERED-LABEL: def cumsum_forms(
@T.prim_func(properties=["tile"])
def cumsum_forms():
    tile = T.alloc_fragment((8, 64), "float32")
    lines = T.alloc_shared((6, 42), "int32")
    sums = T.alloc_shared((6, 42), "int32")
    row = T.alloc_shared((64,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # A fragment goes through shared memory; each lane sums two neighbours, and all lanes are summed by shuffles.
        # CHECK: T.cumsum(tile[0:8, 0:64], tile[0:8, 0:64], dim=1){{$}}
        # LOWERED: tile_workspace[{{.*}}] = tile[
        # LOWERED: for line_step in T.serial(0, 2):
        # LOWERED-NEXT: line: T.int32 = tx // 32 + line_step * 4
        # LOWERED-NEXT: tile_sum[0] = 0.0
        # LOWERED-NEXT: for i in T.unroll(0, 2):
        # LOWERED-NEXT: tile_sum[0] = tile_sum[0] + tile_workspace[line{{.*}}, tx % 32 * 2 + i]
        # LOWERED-NEXT: T.shuffle(tile_other[0], tile_sum[0], 1, kind="up")
        # LOWERED: T.shuffle(tile_other[0], tile_sum[0], 16, kind="up")
        # LOWERED: tile[{{.*}}] = tile_workspace[
        T.cumsum(tile, tile, dim=1)
        # Lines are columns here: 42 of them by four warps, of six elements each, from the last one back.
        # CHECK: T.cumsum(lines[0:6, 0:42], sums[0:6, 0:42], reverse=True){{$}}
        # LOWERED: for line_step in T.serial(0, 11):
        # LOWERED-NEXT: line: T.int32 = tx // 32 + line_step * 4
        # LOWERED-NEXT: if line < 42:
        # LOWERED: if tx % 32 < 6:
        # LOWERED-NEXT: lines_sum[0] = lines_sum[0] + lines[5 - tx % 32, line{{.*}}]
        # LOWERED: sums[5 - tx % 32, line{{.*}}] = lines_sum[0]
        T.cumsum(lines[0:6, 0:42], sums[0:6, 0:42], reverse=True)
        # One line is of the first of four warps: no loop stands around the condition that says so.
        # CHECK: T.cumsum(row[0:64], row[0:64]){{$}}
        # LOWERED-NOT: line_step
        # LOWERED: line{{.*}}: T.int32 = tx // 32
        # LOWERED-NEXT: if line{{.*}} < 1:
        # LOWERED-NEXT: row_sum[0] = 0.0
        T.cumsum(row[0:64], row[0:64])
