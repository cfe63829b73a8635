# tilescope-ir 1
# ./dev lit tests/ops/wgmma_wait.py
# RUN: tilescope opt --target sm_90a --passes '' %s | FileCheck %s

# CHECK-LABEL: def wgmma_wait_forms(
@T.prim_func(properties=["lowered"])
def wgmma_wait_forms(C: T.Tensor((256,), "float32", output=True)):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.wgmma_wait(pending=1){{$}}
        T.wgmma_wait(pending=1)
