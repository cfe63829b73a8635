# tilescope-ir 1
# ./dev lit tests/ops/commit_group.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def commit_group_forms(
@T.prim_func(properties=["tile"])
def commit_group_forms(
    A: T.Tensor((256, 256), "float16"),
    C: T.Tensor((256, 256), "float32", output=True),
):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.commit_group(){{$}}
        T.commit_group()
