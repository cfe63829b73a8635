# tilescope-ir 1
# ./dev lit tests/ops/thread_reduce.py
# RUN: tilescope opt --passes '' %s | FileCheck %s
# RUN: tilescope opt --passes inject-pipeline,infer-layouts,lower-tile-ops %s | FileCheck %s --check-prefix=LOWERED

# CHECK-LABEL: def warp_sum(
@T.prim_func(properties=["tile"])
def warp_sum():
    total = T.alloc_local((1,), "float32")
    with T.Kernel(1, threads=64) as (bx, tx):
        # CHECK: T.thread_reduce(total[0], T.float32(tx), scope="warp"){{$}}
        # LOWERED: total[0] = T.float32(tx)
        # LOWERED-NEXT: T.shuffle(total_other[0], total[0], 1, kind="xor")
        # LOWERED-NEXT: total[0] = total[0] + total_other[0]
        # LOWERED: T.shuffle(total_other[0], total[0], 16, kind="xor")
        # LOWERED-NEXT: total[0] = total[0] + total_other[0]
        # LOWERED-NOT: workspace
        T.thread_reduce(total[0], T.float32(tx), scope="warp")


# 32 threads that are 2 apart lie in two warps: each has 16 lanes of a group.
# CHECK-LABEL: def block_max(
# LOWERED-LABEL: def block_max(
@T.prim_func(properties=["tile"])
def block_max():
    top = T.alloc_local((1,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.thread_reduce(top[0], T.float32(tx), kind="max", stride=2){{$}}
        # LOWERED: T.shuffle(top_other[0], top[0], 2, kind="xor")
        # LOWERED: T.shuffle(top_other[0], top[0], 16, kind="xor")
        # LOWERED-NEXT: top[0] = T.max(top[0], top_other[0])
        # LOWERED-NEXT: if tx // 2 % 16 == 0:
        # LOWERED-NEXT: top_workspace[tx // 32 % 2, tx % 2 + tx // 64 * 2] = top[0]
        # LOWERED-NEXT: top[0] = T.max(top_workspace[0, tx % 2 + tx // 64 * 2], top_workspace[1, tx % 2 + tx // 64 * 2])
        T.thread_reduce(top[0], T.float32(tx), kind="max", stride=2)


# Groups of three are no butterfly.
# LOWERED-LABEL: def block_sum_of_three(
@T.prim_func(properties=["tile"])
def block_sum_of_three():
    total = T.alloc_local((1,), "int32")
    with T.Kernel(1, threads=96) as (bx, tx):
        # LOWERED: total[0] = tx
        # LOWERED-NEXT: total_workspace[tx % 3, tx // 3] = total[0]
        # LOWERED-NEXT: total[0] = total_workspace[0, tx // 3] + total_workspace[1, tx // 3] + total_workspace[2, tx // 3]
        T.thread_reduce(total[0], tx, extent=3)
