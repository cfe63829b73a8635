# tilescope-ir 1
# ./dev lit tests/ops/shuffle.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def shuffle_forms(
@T.prim_func(properties=["lowered"])
def shuffle_forms():
    r = T.alloc_local((4,), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        # CHECK: T.shuffle(r[0], r[1], 3){{$}}
        T.shuffle(r[0:1], r[1], 3)
        # CHECK: T.shuffle(r[2], r[3] + 1.0, tx % 8, kind="xor", width=8){{$}}
        T.shuffle(r[2], r[3] + 1.0, tx % 8, kind="xor", width=8)
        # CHECK: T.shuffle(r[2], r[3], 1, mask=T.uint32(255), kind="up"){{$}}
        T.shuffle(r[2], r[3], 1, mask=T.uint32(255), kind="up")
        # CHECK: T.shuffle(r[2], r[3], 1, kind="down"){{$}}
        T.shuffle(r[2], r[3], 1, kind="down")
