"""One GEMM a batch, on a three-dimensional grid; operands are slices of 3-D tensors."""
# tilescope: matmul --set batch=4 --set M=256 --set N=256 --set K=128
# tilescope: matmul --set batch=3 --set M=200 --set N=136 --set K=72
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def matmul(batch, M, N, K, block_M=64, block_N=64, block_K=32, num_stages=2, dtype="float16"):

    @T.prim_func
    def main(
            A: T.Tensor((batch, M, K), dtype),
            B: T.Tensor((batch, K, N), dtype),
            C: T.Tensor((batch, M, N), dtype),
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), batch,
                      threads=128) as (bx, by, bz):
            A_shared = T.alloc_shared((block_M, block_K), dtype)
            B_shared = T.alloc_shared((block_K, block_N), dtype)
            C_local = T.alloc_fragment((block_M, block_N), "float32")
            T.clear(C_local)
            for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=num_stages):
                T.copy(A[bz, by * block_M:(by + 1) * block_M, k * block_K:(k + 1) * block_K],
                       A_shared)
                T.copy(B[bz, k * block_K:(k + 1) * block_K, bx * block_N:(bx + 1) * block_N],
                       B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.copy(C_local, C[bz, by * block_M:(by + 1) * block_M, bx * block_N:(bx + 1) * block_N])

    return main
