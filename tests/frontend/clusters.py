# RUN: tilescope opt --passes '' %s:ranks --target sm_90a | FileCheck %s --check-prefix=RANKS
# ./dev lit tests/frontend/clusters.py
# RUN: tilescope opt --passes '' %s:alone --target sm_90a | FileCheck %s --check-prefix=ALONE
# RUN: tilescope opt --passes '' %s:extents | FileCheck %s --check-prefix=EXTENTS
# RUN: tilescope compile %s:ranks --target sm_90a -o - --trace %t.trace | FileCheck %s --check-prefix=CUDA
# RUN: FileCheck %s --check-prefix=TRACE --input-file %t.trace
# RUN: tilescope compile %s:open_grid --target sm_90a -o - | FileCheck %s --check-prefix=OPEN
# RUN: exits 2 tilescope exec %s:open_grid --dim n=3 --target sm_90a 2>&1 | FileCheck %s --check-prefix=THREE
# RUN: tilescope exec %s:open_grid --dim n=4 --target sm_90a | FileCheck %s --check-prefix=FOUR

# Where a block stands in its cluster follows from its place in the grid, and so is no intrinsic.
import tilelang.language as T


# CUDA: void __launch_bounds__(32) __cluster_dims__(2, 4, 1) ranks_kernel(
# CUDA: cluster_barrier();
# CUDA-NEXT: cluster_arrive();
# CUDA-NEXT: cluster_wait();
# CUDA-NEXT: cluster_arrive_relaxed();
# CUDA-NEXT: cluster_wait();
# CUDA: const dim3 grid(4, 8, 1);
# CUDA-NEXT: ranks_kernel<<<grid, 32, 0, stream>>>(A);
# TRACE: "cluster":[2,4,1]
@T.prim_func
def ranks(A: T.Tensor((64,), "int32")):
    # RANKS: with T.Kernel(4, 8, threads=32, cluster_dims=[2, 4, 1]) as (bx, by, tx):
    with T.ClusterKernel(4, 8, cluster_dims=(2, 4), threads=32) as (bx, by):
        # RANKS-NEXT: T.cluster_barrier()
        T.cluster_sync()
        # RANKS-NEXT: T.cluster_arrive()
        T.cluster_arrive()
        # RANKS-NEXT: T.cluster_wait()
        T.cluster_wait()
        # RANKS-NEXT: T.cluster_arrive(relaxed=True)
        T.cluster_arrive_relaxed()
        T.cluster_wait()
        if T.get_thread_binding() == 0 and by == 0:
            # RANKS: A[bx] = bx % 2 + by % 4 * 2
            A[bx] = T.block_rank_in_cluster()
            # RANKS-NEXT: x: T.int32 = bx // 2
            # RANKS-NEXT: y: T.int32 = by // 4
            x, y = T.get_cluster_ids()
            # RANKS-NEXT: A[4 + bx] = x + y
            A[4 + bx] = x + y
            # RANKS-NEXT: A[8 + bx] = by // 4
            A[8 + bx] = T.get_cluster_id(1) + T.get_cluster_id(2)


@T.prim_func
def alone(A: T.Tensor((64,), "int32")):
    # ALONE: with T.Kernel(4, threads=32) as (bx, tx):
    with T.ClusterKernel(4, cluster_dims=1, threads=32) as bx:
        # ALONE: A[bx] = 0
        A[bx] = T.block_rank_in_cluster()
        # ALONE: A[4 + bx] = bx
        A[4 + bx] = T.get_cluster_id()


# EXTENTS: T.Kernel(4, threads=32) as (bx, tx):
@T.prim_func
def extents(A: T.Tensor((64,), "int32")):
    with T.Kernel(4, threads=32) as bx:
        # EXTENTS-NEXT: A[bx] = 9
        A[bx] = T.get_cluster_size() + sum(T.get_cluster_dims()) + T.get_cluster_extent() + sum(T.get_cluster_extents()) - 5


# A launch whose grid is known later asks then.
# OPEN: if (grid_x % 2 != 0)
# OPEN-NEXT: return cudaErrorInvalidConfiguration;
# THREE: 3 blocks along an axis are not launched in clusters of 2
# FOUR: elaborate runs
@T.prim_func
def open_grid(A: T.Tensor((64,), "int32"), n: T.int32):
    with T.ClusterKernel(n, cluster_dims=2, threads=32) as bx:
        if T.get_thread_binding() == 0:
            A[bx] = T.get_cluster_extent()
