# tilescope-ir 1
# ./dev lit tests/ops/fail_launch_cluster.py
# RUN: exits 2 tilescope opt --passes '' %s 2>&1 | FileCheck %s

# ClusterMask: copies go to blocks that are there.
# LaunchCluster: three axes, and blocks that every GPU holds. ClusterGrid: of whole clusters. ClusterRaster: blocks of one are
# neighbours.
@T.prim_func
def flat(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: a launch names the blocks of its clusters along three axes, and they are 2 to 8
    with T.Kernel(4, threads=32, cluster_dims=[2]) as (bx, tx):
        T.barrier()


@T.prim_func
def many(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: a launch names the blocks of its clusters along three axes, and they are 2 to 8
    with T.Kernel(16, threads=32, cluster_dims=[16, 1, 1]) as (bx, tx):
        T.barrier()


@T.prim_func
def one(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: a launch names the blocks of its clusters along three axes, and they are 2 to 8
    with T.Kernel(16, threads=32, cluster_dims=[1, 1, 1]) as (bx, tx):
        T.barrier()


@T.prim_func
def uneven(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: a grid of 5 blocks along an axis on which clusters have 2
    with T.Kernel(5, threads=32, cluster_dims=[2, 1, 1]) as (bx, tx):
        T.barrier()


@T.prim_func
def beside(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: a grid of 1 blocks along an axis on which clusters have 2
    with T.Kernel(4, threads=32, cluster_dims=[1, 2, 1]) as (bx, tx):
        T.barrier()


@T.prim_func
def reordered(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: a launch of clusters whose blocks are in another order than the grid's
    with T.Kernel(4, 4, threads=32, raster_panel=2, cluster_dims=[2, 1, 1]) as (bx, by, tx):
        T.barrier()


@T.prim_func(properties=["lowered"])
def masked(A: T.Tensor((64, 64), "float16")):
    a = T.alloc_shared((64, 64), "float16", layout="aligned_swizzle(128)")
    full = T.alloc_shared((1,), "uint64")
    with T.Kernel(4, threads=32, cluster_dims=[2, 1, 1]) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: cluster_mask 4 names other blocks than the 2 of the cluster
        T.tma_load(A[0:64, 0:64], a[0:64, 0:64], full[0], cluster_mask=4)
