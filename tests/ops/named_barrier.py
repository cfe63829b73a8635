# tilescope-ir 1
# ./dev lit tests/ops/named_barrier.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def named_barrier_forms(
@T.prim_func(properties=["tile"])
def named_barrier_forms(B: T.Tensor((128,), "float32")):
    with T.Kernel(1, threads=128) as (bx, tx):
        if tx < 64:
            # CHECK: T.named_barrier(threads=64){{$}}
            T.named_barrier(number=1, threads=64)
        # CHECK: T.named_barrier(number=15, threads=128, waits=False){{$}}
        T.named_barrier(number=15, threads=128, waits=False)
