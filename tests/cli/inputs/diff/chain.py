"""Two tiles that may take the same bytes: the first is dead before the second is filled."""
# tilescope: chain --set M=512 --set N=512
import tilelang
import tilelang.language as T


@tilelang.jit
def chain(A, B):
    M, N = T.const("M, N")
    A: T.Tensor[[M, N], T.float16]
    B: T.Tensor[[M, N], T.float16]
    C = T.empty([M, N], T.float16)

    with T.Kernel(T.ceildiv(N, 64), T.ceildiv(M, 64), threads=128) as (bx, by):
        first = T.alloc_shared((64, 64), T.float16)
        second = T.alloc_shared((64, 64), T.float16)
        total = T.alloc_fragment((64, 64), T.float16)
        T.copy(A[by * 64, bx * 64], first)
        T.copy(first, total)
        T.copy(B[by * 64, bx * 64], second)
        for i, j in T.Parallel(64, 64):
            total[i, j] = total[i, j] + second[i, j]
        T.copy(total, C[by * 64, bx * 64])
    return C
