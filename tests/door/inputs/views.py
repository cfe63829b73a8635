"""Views, pointers, workspaces, a grid of one, gathers."""
# tilescope: shapes
# tilescope: windows
import tilelang
import tilelang.language as T


@tilelang.jit
def shapes(n=64):

    @T.prim_func
    def main(
            A: T.Tensor((n // 16, 16, n), "float16"),
            B: T.Tensor((n, n), "float16"),
            pointer: T.handle,
    ):
        C = T.make_tensor(pointer, (n, n), "float16")
        work = T.alloc_global((n, n), "float16")
        with T.Kernel(threads=128):
            rows = T.Tensor((n, n), "float16", A.data)
            tile = T.alloc_shared((n, n), "float16")
            blocks = T.reshape(tile, (n // 16, 16, n))
            sums = T.alloc_fragment((n, n), "float32")
            groups = T.reshape(sums, (n, n // 16, 16))
            T.copy(rows, tile)
            T.copy(blocks[1, :, :], B[0:16, :])
            for i, j, k in T.Parallel(n, n // 16, 16):
                groups[i, j, k] = blocks[i // 16, i % 16, j * 16 + k]
            T.copy(sums, work)
            T.copy(tile, C)
        with T.Kernel(threads=64):
            tile = T.alloc_shared((n, n), "float16")
            T.copy(work, tile)
            T.copy(tile, B)

    return main


@tilelang.jit
def windows(size=8, channels=32):

    @T.prim_func
    def main(image: T.Tensor((2, size, size, channels), "float16"), matrix: T.Tensor((64, 32), "float16")):
        with T.Kernel(1, threads=128) as block:
            tile = T.alloc_shared((64, 32), "float16")
            T.im2col(image, tile, block, 1, 3, 1, 1, 1)
            T.copy(tile, matrix)

    return main
