# tilescope-ir 1
# ./dev lit tests/ops/mbarrier_wait.py
# RUN: tilescope opt --target sm_90a --passes '' %s | FileCheck %s

# CHECK-LABEL: def mbarrier_wait_forms(
@T.prim_func(properties=["lowered"])
def mbarrier_wait_forms(C: T.Tensor((256,), "float32", output=True)):
    ring = T.alloc_shared((1,), "uint64", versions=2)
    with T.Kernel(1, threads=128) as (bx, tx):
        T.mbarrier_init(ring[0, 0])
        for k in T.serial(0, 4):
            # CHECK: T.mbarrier_wait(ring[k % 2, 0], k // 2 % 2){{$}}
            T.mbarrier_wait(ring[k % 2, 0], k // 2 % 2)
