"""GEMM with an explicit software pipeline: the author gives order and stage of each statement."""
# tilescope: matmul --set M=512 --set N=512 --set K=256
# tilescope: matmul --set M=512 --set N=512 --set K=256 --set order=[2,0,1] --set stage=[0,0,1]
# tilescope: matmul --set M=512 --set N=512 --set K=256 --set order=[1,2,0] --set stage=[0,0,1]
# tilescope: matmul --set M=512 --set N=512 --set K=256 --set order=[0,1,2] --set stage=[0,0,2]
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def matmul(M, N, K, block_M=128, block_N=128, block_K=32, order=(0, 1, 2), stage=(0, 0, 1),
           dtype="float16"):

    @T.prim_func
    def main(
            A: T.Tensor((M, K), dtype),
            B: T.Tensor((K, N), dtype),
            C: T.Tensor((M, N), dtype),
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=128) as (bx, by):
            A_shared = T.alloc_shared((block_M, block_K), dtype)
            B_shared = T.alloc_shared((block_K, block_N), dtype)
            C_local = T.alloc_fragment((block_M, block_N), "float32")
            T.clear(C_local)
            for k in T.Pipelined(T.ceildiv(K, block_K), order=list(order), stage=list(stage)):
                T.copy(A[by * block_M, k * block_K], A_shared)
                T.copy(B[k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.copy(C_local, C[by * block_M, bx * block_N])

    return main
