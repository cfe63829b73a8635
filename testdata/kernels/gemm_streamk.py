"""Stream-K: steps of all tiles are one sequence, of which each block has an equal share, wherever that begins and ends. What
is whole is stored, parts of tiles are added; C is zero before."""
# tilescope: matmul --set M=256 --set N=192 --set K=256 --set blocks=5
# tilescope: matmul --set M=128 --set N=128 --set K=320 --set blocks=7 --set block_N=32 --set num_stages=3
import tilelang
import tilelang.language as T


@tilelang.jit
def matmul(M, N, K, blocks, block_M=64, block_N=64, block_K=32, num_stages=2, threads=128, dtype="float16"):
    columns = (N + block_N - 1) // block_N
    tiles = columns * ((M + block_M - 1) // block_M)
    steps = (K + block_K - 1) // block_K
    share, extra = divmod(tiles * steps, blocks)

    @T.prim_func
    def main(A: T.Tensor((M, K), dtype), B: T.Tensor((N, K), dtype), C: T.Tensor((M, N), "float32")):
        with T.Kernel(blocks, threads=threads) as block:
            A_shared = T.alloc_shared((block_M, block_K), dtype)
            B_shared = T.alloc_shared((block_N, block_K), dtype)
            product = T.alloc_fragment((block_M, block_N), "float32")
            at = T.alloc_var("int32")
            end = T.alloc_var("int32")
            at = block * share + T.min(block, extra)
            end = at + share + T.if_then_else(block < extra, 1, 0)
            for _ in T.serial(share // steps + 2):
                if at < end:
                    tile = at // steps
                    by = tile // columns
                    bx = tile % columns
                    first = at % steps
                    count = T.min(steps - first, end - at)
                    T.clear(product)
                    for k in T.Pipelined(count, num_stages=num_stages):
                        T.copy(A[by * block_M, (first + k) * block_K], A_shared)
                        T.copy(B[bx * block_N, (first + k) * block_K], B_shared)
                        T.gemm(A_shared, B_shared, product, transpose_B=True)
                    if count == steps:
                        T.copy(product, C[by * block_M, bx * block_N])
                    else:
                        T.atomic_add(C[by * block_M, bx * block_N], product)
                    at += count

    return main
