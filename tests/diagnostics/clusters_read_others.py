# RUN: tilescope compile %s:unordered --target sm_90a -o %t 2>&1 | FileCheck %s
# ./dev lit tests/diagnostics/clusters_read_others.py
# RUN: exits 1 tilescope check --strict %s:unordered --target sm_90a
# RUN: tilescope check --strict %s:met --target sm_90a | grep 'free of hazards  yes'
# RUN: exits 1 tilescope check --strict %s:other_clusters --target sm_90a
# RUN: tilescope compile %s:other_clusters --target sm_90a -o %t 2>&1 | FileCheck %s --check-prefix=OTHERS
# RUN: tilescope compile %s:divided --target sm_90a -o %t 2>&1 | FileCheck %s --check-prefix=DIVIDED
# RUN: tilescope compile %s:half --target sm_90a -o %t 2>&1 | FileCheck %s --check-prefix=HALF

# A barrier of a cluster orders its blocks, and no others.
import tilelang.language as T


@T.prim_func
def unordered(A: T.Tensor((512,), "float32"), W: T.Tensor((512,), "float32"), C: T.Tensor((512,), "float32")):
    with T.ClusterKernel(4, cluster_dims=2, threads=128) as bx:
        for i in T.Parallel(128):
            W[bx * 128 + i] = A[bx * 128 + i]
        T.sync_threads()
        for i in T.Parallel(128):
            # CHECK: [[# @LINE + 1]]:13: warning: it is not established that threads which run this statement read no element of 'W' that others write
            C[bx * 128 + i] = W[(bx // 2 * 2 + (bx + 1) % 2) * 128 + i]


@T.prim_func
def met(A: T.Tensor((512,), "float32"), W: T.Tensor((512,), "float32"), C: T.Tensor((512,), "float32")):
    with T.ClusterKernel(4, cluster_dims=2, threads=128) as bx:
        for i in T.Parallel(128):
            W[bx * 128 + i] = A[bx * 128 + i]
        T.cluster_sync()
        for i in T.Parallel(128):
            C[bx * 128 + i] = W[(bx // 2 * 2 + (bx + 1) % 2) * 128 + i]


@T.prim_func
def other_clusters(A: T.Tensor((512,), "float32"), W: T.Tensor((512,), "float32"), C: T.Tensor((512,), "float32")):
    with T.ClusterKernel(4, cluster_dims=2, threads=128) as bx:
        for i in T.Parallel(128):
            W[bx * 128 + i] = A[bx * 128 + i]
        T.cluster_sync()
        for i in T.Parallel(128):
            # OTHERS: [[# @LINE + 1]]:13: warning: it is not established that threads which run this statement read no element of 'W' that others write
            C[bx * 128 + i] = W[(bx + 1) % 4 * 128 + i]


@T.prim_func
def divided(A: T.Tensor((512,), "float32")):
    with T.ClusterKernel(4, cluster_dims=2, threads=128) as bx:
        if bx % 2 == 0:
            # DIVIDED: [[# @LINE + 1]]:13: warning: it is not established that all blocks of a cluster get to its barrier here
            T.cluster_sync()
        A[bx * 128 + T.get_thread_binding()] = 1.0


@T.prim_func
def half(A: T.Tensor((512,), "float32"), n: T.int32):
    with T.ClusterKernel(4, cluster_dims=2, threads=128) as bx:
        # HALF: [[# @LINE + 3]]:13: warning: it is not established that each arrival at the barrier of the cluster is waited for before the next
        T.cluster_arrive()
        if n > 0:
            T.cluster_wait()
        A[bx * 128 + T.get_thread_binding()] = 1.0
