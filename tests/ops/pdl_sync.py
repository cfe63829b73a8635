# tilescope-ir 1
# ./dev lit tests/ops/pdl_sync.py
# RUN: tilescope opt --target sm_90a --passes '' %s | FileCheck %s

# CHECK-LABEL: def pdl_sync_forms(
@T.prim_func(properties=["tile"])
def pdl_sync_forms(B: T.Tensor((4,), "float32")):
    with T.Kernel(4, threads=32) as (bx, tx):
        # CHECK: T.pdl_sync(){{$}}
        T.pdl_sync()
