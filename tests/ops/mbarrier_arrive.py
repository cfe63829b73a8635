# tilescope-ir 1
# ./dev lit tests/ops/mbarrier_arrive.py
# RUN: tilescope opt --target sm_90a --passes '' %s | FileCheck %s

# CHECK-LABEL: def mbarrier_arrive_forms(
@T.prim_func(properties=["lowered"])
def mbarrier_arrive_forms(C: T.Tensor((256,), "float32", output=True)):
    ring = T.alloc_shared((2,), "uint64")
    with T.Kernel(2, threads=128, cluster_dims=[2, 1, 1]) as (bx, tx):
        T.mbarrier_init(ring[0:1], arrivals=128)
        # CHECK: T.mbarrier_arrive(ring[0]){{$}}
        T.mbarrier_arrive(ring[0:1])
        # CHECK: T.mbarrier_arrive(ring[1], rank=tx % 2){{$}}
        T.mbarrier_arrive(ring[1], rank=tx % 2)
