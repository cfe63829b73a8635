# tilescope-ir 1
# ./dev lit tests/ops/new_name.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def new_name_forms(
@T.prim_func(properties=["lowered"])
def new_name_forms():
    r = T.alloc_local((4,), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        # CHECK: T.new_name(r[0], r[1]){{$}}
        T.new_name(r[0:1], r[1:2])
