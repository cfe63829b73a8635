# tilescope-ir 1
# ./dev lit tests/ops/tma_store_commit.py
# RUN: tilescope opt --target sm_90a --passes '' %s | FileCheck %s

# CHECK-LABEL: def tma_store_commit_forms(
@T.prim_func(properties=["lowered"])
def tma_store_commit_forms(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.tma_store_commit(){{$}}
        T.tma_store_commit()
