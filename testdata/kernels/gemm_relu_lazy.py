"""C = relu(A @ B + bias), in the lazy style: a factory that returns a prim_func."""
# tilescope: matmul --set M=1024 --set N=1024 --set K=1024
# tilescope: matmul --set M=384 --set N=640 --set K=512 --set dtype=bfloat16 --set out_dtype=float32
# tilescope: matmul --set M=512 --set N=512 --set K=512 --set stage_output=true
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def matmul(M, N, K, block_M=128, block_N=128, block_K=32, num_stages=3, threads=128,
           dtype="float16", out_dtype="float16", stage_output=False):

    @T.prim_func
    def gemm_bias_relu(
            A: T.Tensor((M, K), dtype),
            B: T.Tensor((K, N), dtype),
            bias: T.Tensor((N,), dtype),
            C: T.Tensor((M, N), out_dtype),
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=threads) as (bx, by):
            A_shared = T.alloc_shared((block_M, block_K), dtype)
            B_shared = T.alloc_shared((block_K, block_N), dtype)
            C_shared = T.alloc_shared((block_M, block_N), out_dtype)
            C_local = T.alloc_fragment((block_M, block_N), "float32")

            T.clear(C_local)
            for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=num_stages):
                T.copy(A[by * block_M, k * block_K], A_shared)
                T.copy(B[k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)

            for i, j in T.Parallel(block_M, block_N):
                C_local[i, j] = C_local[i, j] + T.cast(bias[bx * block_N + j], "float32")
            for i, j in T.Parallel(block_M, block_N):
                C_local[i, j] = T.if_then_else(C_local[i, j] > 0, C_local[i, j], 0.0)

            if stage_output:
                T.copy(C_local, C_shared)
                T.copy(C_shared, C[by * block_M, bx * block_N])
            else:
                T.copy(C_local, C[by * block_M, bx * block_N])

    return gemm_bias_relu
