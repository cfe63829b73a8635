# tilescope-ir 1
# ./dev lit tests/ops/cluster_arrive.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def cluster_arrive_forms(
@T.prim_func(properties=["tile"])
def cluster_arrive_forms(B: T.Tensor((4,), "float32")):
    with T.Kernel(4, 4, threads=32, cluster_dims=[1, 4, 1]) as (bx, by, tx):
        # CHECK: T.cluster_arrive(){{$}}
        T.cluster_arrive(relaxed=False)
        T.cluster_wait()
        # CHECK: T.cluster_arrive(relaxed=True){{$}}
        T.cluster_arrive(relaxed=True)
        T.cluster_wait()
