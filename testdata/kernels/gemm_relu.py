"""C = relu(A @ B + bias), in the eager style."""
# tilescope: matmul --set M=1024 --set N=1024 --set K=1024
# tilescope: matmul --set M=512 --set N=512 --set K=512 --set dtype=bfloat16
# tilescope: matmul --set M=1000 --set N=520 --set K=776
# tilescope: matmul --set M=300 --set N=200 --set K=1001 --set block_M=64 --set block_N=64
# tilescope: matmul --set M=512 --set N=512 --set K=256 --set num_stages=1
# tilescope: matmul --set M=512 --set N=512 --set K=256 --set num_stages=2
# tilescope: matmul --set M=512 --set N=512 --set K=256 --set num_stages=4
# tilescope: matmul --set M=512 --set N=512 --set K=256 --set num_stages=0
# tilescope: matmul --set M=256 --set N=256 --set K=32
import tilelang
import tilelang.language as T


@tilelang.jit
def matmul(A, B, bias, block_M: int = 128, block_N: int = 128, block_K: int = 32,
           num_stages: int = 3, threads: int = 128, dtype: T.dtype = T.float16):
    M, N, K = T.const("M, N, K")
    A: T.Tensor[[M, K], dtype]
    B: T.Tensor[[K, N], dtype]
    bias: T.Tensor[[N], dtype]
    C = T.empty([M, N], dtype)

    with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=threads) as (bx, by):
        A_shared = T.alloc_shared((block_M, block_K), dtype)
        B_shared = T.alloc_shared((block_K, block_N), dtype)
        C_local = T.alloc_fragment((block_M, block_N), T.float32)

        T.clear(C_local)
        for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=num_stages):
            T.copy(A[by * block_M, k * block_K], A_shared)
            T.copy(B[k * block_K, bx * block_N], B_shared)
            T.gemm(A_shared, B_shared, C_local)

        for i, j in T.Parallel(block_M, block_N):
            C_local[i, j] = T.max(C_local[i, j] + T.cast(bias[bx * block_N + j], T.float32), 0)
        T.copy(C_local, C[by * block_M, bx * block_N])
    return C
