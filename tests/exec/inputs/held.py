"""Fragments that a copy and a reduction read and write."""
import tilelang
import tilelang.language as T


@tilelang.jit
def moved(N=64):
    @T.prim_func
    def main(A: T.Tensor((N, N), T.float32), B: T.Tensor((N, N), T.float32), S: T.Tensor((N,), T.float32)):
        with T.Kernel(1, threads=128):
            a = T.alloc_fragment((N, N), T.float32)
            b = T.alloc_fragment((N, N), T.float32)
            sums = T.alloc_fragment((N,), T.float32)
            T.copy(A, a)
            T.copy(a, b)
            T.copy(b, B)
            T.reduce_sum(b, sums, dim=1)
            T.copy(sums, S)

    return main
