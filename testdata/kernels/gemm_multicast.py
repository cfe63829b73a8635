# C = A B by clusters of two blocks, one below the other. Both multiply by the same tiles of B: the first block of a
# cluster copies each of them into the memory of both, where a barrier of each counts its bytes. A slot is filled again
# when all warps of both blocks have read it.
#
# tilescope: matmul --target sm_90a
# tilescope: matmul --set M=128 --set N=64 --set K=192 --set block_M=64 --set block_N=64 --set groups=1 --target sm_90a
import tilelang
import tilelang.language as T


@tilelang.jit
def matmul(M=512, N=512, K=512, block_M=128, block_N=256, block_K=64, stages=4, groups=2, cluster=2, multicast=True):
    warps = groups * 4
    mask = (1 << cluster) - 1 if multicast else None

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.ClusterKernel(M // block_M, N // block_N, threads=128 * (groups + 1), cluster_dims=cluster) as (row, column):
            A_shared = T.alloc_shared((stages, block_M, block_K), "float16")
            B_shared = T.alloc_shared((stages, block_K, block_N), "float16")
            sums = T.alloc_fragment((block_M, block_N), "float32")
            full = T.alloc_barrier([128] * stages)
            empty = T.alloc_cluster_barrier([warps * cluster] * stages)
            tx = T.get_thread_binding()
            with T.ws(groups):
                for k in T.serial(K // block_K):
                    T.barrier_wait(empty[k % stages], (k // stages + 1) % 2)
                    T.tma_copy(A[row * block_M, k * block_K], A_shared[k % stages, :, :], barrier=full[k % stages])
                    T.tma_copy(B[k * block_K, column * block_N], B_shared[k % stages, :, :], barrier=full[k % stages],
                               cluster_mask=mask)
                    T.barrier_arrive(full[k % stages])
            with T.ws(*range(groups)):
                T.clear(sums)
                for k in T.serial(K // block_K):
                    T.barrier_wait(full[k % stages], k // stages % 2)
                    T.wgmma_gemm(A_shared[k % stages, :, :], B_shared[k % stages, :, :], sums)
                    T.wait_wgmma(0)
                    if tx % 32 < cluster:
                        T.mbarrier_arrive(empty[k % stages], tx % 32)
                T.copy(sums, C[row * block_M, column * block_N])

    return main
