"""A histogram: each block counts in shared memory and adds its counts to those of all."""
# tilescope: histogram --set N=4096
# tilescope: extremes --set N=2048
import tilelang
import tilelang.language as T


@tilelang.jit
def histogram(N, bins=64, block=512, threads=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "int32"), H: T.Tensor((bins,), "int32")):
        with T.Kernel(T.ceildiv(N, block), threads=threads) as bx:
            counts = T.alloc_shared((bins,), "int32")
            T.clear(counts)
            for i in T.Parallel(block):
                if bx * block + i < N:
                    T.atomic_add(counts[A[bx * block + i] % bins], 1)
            T.atomic_add(H, counts)

    return main


@tilelang.jit
def extremes(N, block=512, threads=128):
    """The least and the greatest, and which bits occur at all."""

    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "int32"), Low: T.Tensor((1,), "float32"),
             High: T.Tensor((1,), "float32"), Bits: T.Tensor((1,), "int32")):
        with T.Kernel(T.ceildiv(N, block), threads=threads) as bx:
            tile = T.alloc_fragment((block,), "float32")
            low = T.alloc_fragment((1,), "float32")
            high = T.alloc_fragment((1,), "float32")
            T.copy(A[bx * block], tile)
            T.reduce_min(tile, low, dim=0)
            T.reduce_max(tile, high, dim=0)
            T.atomic_min(Low, low)
            T.atomic_max(High, high)
            for i in T.Parallel(block):
                T.atomic_or(Bits[0], B[bx * block + i])

    return main
