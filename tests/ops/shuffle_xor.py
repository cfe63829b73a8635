# tilescope-ir 1
# ./dev lit tests/ops/shuffle_xor.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def shuffle_xor_forms(
@T.prim_func(properties=["lowered"])
def shuffle_xor_forms():
    r = T.alloc_local((4,), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        # CHECK: T.shuffle_xor(r[0], r[1]){{$}}
        T.shuffle_xor(r[0:1], r[1:2])
        # CHECK: T.shuffle_xor(r[2], r[3], lane_mask=16){{$}}
        T.shuffle_xor(r[2:3], r[3:4], lane_mask=16)
