# tilescope-ir 1
# ./dev lit tests/ops/wgmma_commit.py
# RUN: tilescope opt --target sm_90a --passes '' %s | FileCheck %s

# CHECK-LABEL: def wgmma_commit_forms(
@T.prim_func(properties=["lowered"])
def wgmma_commit_forms(C: T.Tensor((256,), "float32", output=True)):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.wgmma_commit(){{$}}
        T.wgmma_commit()
