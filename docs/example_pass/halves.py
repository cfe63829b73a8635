"""Adds two matrices by tiles, each of them loaded in two halves."""

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def add(M: int = 256, N: int = 64):
    @T.prim_func
    def main(
        A: T.Tensor((M, N), "float16"),
        B: T.Tensor((M, N), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(T.ceildiv(M, 128), threads=128) as by:
            A_shared = T.alloc_shared((128, N), "float16")
            B_shared = T.alloc_shared((128, N), "float16")
            for half in T.serial(2):
                T.copy(A[by * 128 + half * 64, 0], A_shared[half * 64 : half * 64 + 64, 0:N])
                T.copy(B[by * 128 + half * 64, 0], B_shared[half * 64 : half * 64 + 64, 0:N])
            for i, j in T.Parallel(128, N):
                A_shared[i, j] = A_shared[i, j] + B_shared[i, j]
            T.copy(A_shared, C[by * 128, 0])

    return main
