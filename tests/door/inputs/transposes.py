"""Copies with waits of the kernel's own, and a tile that is turned."""
# tilescope: transposed --set M=256 --set N=96
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def transposed(M, N, block_M=64, block_N=32, dtype="float16"):

    @T.prim_func
    def main(A: T.Tensor((M, N), dtype), B: T.Tensor((N, M), dtype)):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=128) as (bx, by):
            tile = T.alloc_shared((block_M, block_N), dtype)
            turned = T.alloc_shared((block_N, block_M), dtype)
            T.async_copy(A[by * block_M, bx * block_N], tile)
            T.ptx_wait_group(0)
            T.sync_threads()
            T.transpose(tile, turned)
            T.copy(turned, B[bx * block_N, by * block_M])

    return main
