# tilescope-ir 1
# ./dev lit tests/ops/wait_group.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def wait_group_forms(
@T.prim_func(properties=["tile"])
def wait_group_forms(
    A: T.Tensor((256, 256), "float16"),
    C: T.Tensor((256, 256), "float32", output=True),
):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.wait_group(){{$}}
        T.wait_group()
        # CHECK: T.wait_group(){{$}}
        T.wait_group(pending=0)
        # CHECK: T.wait_group(pending=2){{$}}
        T.wait_group(pending=2)
