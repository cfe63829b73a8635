"""C = A @ B."""
# tilescope: matmul --set M=512 --set N=512 --set K=512
import tilelang
import tilelang.language as T


@tilelang.jit
def matmul(A, B, block: int = 64, num_stages: int = 2, dtype: T.dtype = T.float16):
    M, N, K = T.const("M, N, K")
    A: T.Tensor[[M, K], dtype]
    B: T.Tensor[[K, N], dtype]
    C = T.empty([M, N], dtype)

    with T.Kernel(T.ceildiv(N, block), T.ceildiv(M, block), threads=128) as (bx, by):
        A_shared = T.alloc_shared((block, 32), dtype)
        B_shared = T.alloc_shared((32, block), dtype)
        C_local = T.alloc_fragment((block, block), T.float32)

        T.clear(C_local)
        for k in T.Pipelined(T.ceildiv(K, 32), num_stages=num_stages):
            T.copy(A[by * block, k * 32], A_shared)
            T.copy(B[k * 32, bx * block], B_shared)
            T.gemm(A_shared, B_shared, C_local)
        T.copy(C_local, C[by * block, bx * block])
    return C
