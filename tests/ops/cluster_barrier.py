# tilescope-ir 1
# ./dev lit tests/ops/cluster_barrier.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def cluster_barrier_forms(
@T.prim_func(properties=["tile"])
def cluster_barrier_forms(B: T.Tensor((4,), "float32")):
    # CHECK: with T.Kernel(4, threads=32, cluster_dims=[2, 1, 1]) as (bx, tx):
    with T.Kernel(4, threads=32, cluster_dims=[2, 1, 1]) as (bx, tx):
        # CHECK: T.cluster_barrier(){{$}}
        T.cluster_barrier()
