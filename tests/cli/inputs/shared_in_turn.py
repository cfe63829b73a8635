"""Two tiles of one loop that lie in the same bytes: each is written before it is read."""
import tilelang.language as T


@T.prim_func
def sums(A: T.Tensor((64, 64), "float32"), B: T.Tensor((32, 128), "float32"), C: T.Tensor((64,), "float32"),
         D: T.Tensor((32,), "float32")):
    with T.Kernel(1, threads=128) as bx:
        first = T.alloc_shared((64, 64), "float32")
        second = T.alloc_shared((32, 128), "float32")
        left = T.alloc_fragment((64,), "float32")
        right = T.alloc_fragment((32,), "float32")
        for k in T.serial(4):
            T.copy(A, first)
            T.reduce_sum(first, left, dim=1)
            T.copy(B, second)
            T.reduce_sum(second, right, dim=1)
        T.copy(left, C)
        T.copy(right, D)
