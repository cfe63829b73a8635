"""One shared tile, and a list as long as wanted."""
import tilelang
import tilelang.language as T


@tilelang.jit
def kernel(A, rows: int = 128, columns: int = 64, length: int = 1):
    A: T.Tensor[[rows, columns], T.float32]
    with T.Kernel(len([0] * length), threads=128) as bx:
        tile = T.alloc_shared((rows, columns), T.float32)
        T.copy(A, tile)
        T.copy(tile, A)
