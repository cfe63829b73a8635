"""C = A + B through shared memory."""
# tilescope: add --set M=512 --set N=512
import tilelang
import tilelang.language as T


@tilelang.jit
def add(A, B, dtype: T.dtype = T.float32):
    M, N = T.const("M, N")
    A: T.Tensor[[M, N], dtype]
    B: T.Tensor[[M, N], dtype]
    C = T.empty([M, N], dtype)

    with T.Kernel(T.ceildiv(N, 32), T.ceildiv(M, 32), threads=128) as (bx, by):
        left = T.alloc_shared((32, 32), dtype)
        right = T.alloc_shared((32, 32), dtype)
        T.copy(A[by * 32, bx * 32], left)
        T.copy(B[by * 32, bx * 32], right)
        for i, j in T.Parallel(32, 32):
            C[by * 32 + i, bx * 32 + j] = left[i, j] + right[i, j]
    return C
