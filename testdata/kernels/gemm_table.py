"""Products of matrices that a table of pointers names: which pair a block takes, another table says."""
# tilescope: products --set groups=3 --set size=128
import tilelang
import tilelang.language as T


@tilelang.jit
def products(groups=3, size=128, block=64, dtype=T.float16):
    @T.prim_func
    def main(
        left: T.Tensor([groups], T.ptr),
        right: T.Tensor([groups], T.ptr),
        out: T.Tensor([groups], T.ptr),
    ):
        with T.Kernel(size // block, size // block, groups, threads=128) as (bx, by, bz):
            A_tile = T.alloc_shared((block, block), dtype)
            B_tile = T.alloc_shared((block, block), dtype)
            sums = T.alloc_fragment((block, block), T.float32)
            A = T.make_tensor(left[bz], (size, size), dtype)
            B = T.make_tensor(right[groups - 1 - bz], (size, size), dtype)
            C = T.make_tensor(out[bz], (size, size), T.float32)
            T.clear(sums)
            for k in T.Pipelined(size // block, num_stages=2):
                T.copy(A[by * block, k * block], A_tile)
                T.copy(B[k * block, bx * block], B_tile)
                T.gemm(A_tile, B_tile, sums)
            T.copy(sums, C[by * block, bx * block])

    return main
