# tilescope-ir 1
# ./dev lit tests/ops/mbarrier_init.py
# RUN: tilescope opt --target sm_90a --passes '' %s | FileCheck %s

# CHECK-LABEL: def mbarrier_init_forms(
@T.prim_func(properties=["lowered"])
def mbarrier_init_forms(C: T.Tensor((256,), "float32", output=True)):
    # CHECK: ring = T.alloc_shared((1,), "uint64", versions=2)
    ring = T.alloc_shared((1,), "uint64", versions=2)
    one = T.alloc_shared((1,), "uint64")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.mbarrier_init(ring[0, 0]){{$}}
        T.mbarrier_init(ring[0, 0])
        T.mbarrier_init(ring[1, 0], arrivals=1)
        # CHECK: T.mbarrier_init(one[0], arrivals=128){{$}}
        T.mbarrier_init(one[0], arrivals=128)
