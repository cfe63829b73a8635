# tilescope-ir 1
# ./dev lit tests/ops/wgmma_fence.py
# RUN: tilescope opt --target sm_90a --passes '' %s | FileCheck %s

# CHECK-LABEL: def wgmma_fence_forms(
@T.prim_func(properties=["lowered"])
def wgmma_fence_forms(C: T.Tensor((256,), "float32", output=True)):
    c = T.alloc_local((32,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.wgmma_fence(c[0:32]){{$}}
        T.wgmma_fence(c[0:32])
