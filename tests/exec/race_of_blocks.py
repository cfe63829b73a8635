# tilescope-ir 1
# ./dev lit tests/exec/race_of_blocks.py
# RUN: exits 1 tilescope exec %s | FileCheck %s

# Blocks 0, 1 and 2 read what block 2 writes after it has read it: the one that it meets is named, with its statement.
#      CHECK: {{^}}elaborate WRONG
# CHECK-NEXT: 'C' is accessed by thread 7 of block 0, thread 9 of block 2 and others without a barrier between, by thread 9 of block 2 [race]
# CHECK-NEXT: line [[#@LINE+15]]: C[0] = 3.0
# CHECK-NEXT: and line [[#@LINE+10]]: B[bx] = C[0]
#  CHECK-NOT: [race]

@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def blocks(
    B: T.Tensor((3,), "float32", output=True),
    C: T.Tensor((1,), "float32", output=True),
):
    with T.Kernel(3, threads=32) as (bx, tx):
        if tx == 7:
            B[bx] = C[0]
        T.barrier(scope="warp")
        if tx == 9:
            if bx == 2:
                C[0] = 3.0
