# tilescope-ir 1
# ./dev lit tests/ops/mbarrier_arrive_expect.py
# RUN: tilescope opt --target sm_90a --passes '' %s | FileCheck %s

# CHECK-LABEL: def mbarrier_arrive_expect_forms(
@T.prim_func(properties=["lowered"])
def mbarrier_arrive_expect_forms(C: T.Tensor((256,), "float32", output=True)):
    ring = T.alloc_shared((1,), "uint64", versions=2)
    with T.Kernel(1, threads=128) as (bx, tx):
        T.mbarrier_init(ring[0, 0])
        # CHECK: T.mbarrier_arrive_expect(ring[0, 0], bytes=16384){{$}}
        T.mbarrier_arrive_expect(ring[0, 0], bytes=16384)
