# tilescope-ir 1
# ./dev lit tests/ops/shuffle_up.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def shuffle_up_forms(
@T.prim_func(properties=["lowered"])
def shuffle_up_forms():
    r = T.alloc_local((4,), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        # CHECK: T.shuffle_up(r[0], r[1]){{$}}
        T.shuffle_up(r[0:1], r[1:2])
        # CHECK: T.shuffle_up(r[2], r[3], lanes=16){{$}}
        T.shuffle_up(r[2:3], r[3:4], lanes=16)
