"""Tiles that blocks take in turn until there are none left: the loop ends where the tiles do."""
# tilescope: matmul --set M=512 --set N=256 --set K=128
import tilelang
import tilelang.language as T


@tilelang.jit
def matmul(M, N, K, block_M=64, block_N=64, block_K=32, blocks=6, threads=128):
    tiles_n = N // block_N
    tiles = M // block_M * tiles_n

    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(blocks, threads=threads) as bx:
            A_tile = T.alloc_shared((block_M, block_K), "float16")
            B_tile = T.alloc_shared((block_K, block_N), "float16")
            sums = T.alloc_fragment((block_M, block_N), "float32")
            tile = T.alloc_var("int32")
            tile = bx
            while tile < tiles:
                row = tile // tiles_n * block_M
                column = tile % tiles_n * block_N
                T.clear(sums)
                for k in T.Pipelined(K // block_K, num_stages=2):
                    T.copy(A[row, k * block_K], A_tile)
                    T.copy(B[k * block_K, column], B_tile)
                    T.gemm(A_tile, B_tile, sums)
                T.copy(sums, C[row, column])
                tile = tile + blocks

    return main
