# tilescope: add --set M=64
# ./dev lit tests/passes/insert_barriers_atomic_tiles.py
# RUN: tilescope compile %s:add --set M=64 -o - | FileCheck %s
# RUN: tilescope compile %s:histogram --set N=1024 -o - | FileCheck %s --check-prefix=FLUSH
import tilelang
import tilelang.language as T


# A tile that was added to is complete before it is added to another.
# CHECK: add_kernel
# CHECK: __syncthreads();
# CHECK: atomicAdd(&s[
# CHECK: __syncthreads();
# CHECK: atomicAdd(&C[
@tilelang.jit(out_idx=[-1])
def add(M):
    @T.prim_func
    def add(A: T.Tensor((M, M), "float32"), C: T.Tensor((M, M), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((M, M), "float32")
            t = T.alloc_shared((M, M), "float32")
            T.copy(A, s)
            T.copy(A, t)
            T.atomic_add(s, t)
            T.atomic_add(C, s)

    return add


# FLUSH: histogram_kernel
# FLUSH: atomicAdd(&h[
# FLUSH: __syncthreads();
# FLUSH: atomicAdd(&H[
@tilelang.jit(out_idx=[-1])
def histogram(N, block=256, bins=16):
    @T.prim_func
    def histogram(A: T.Tensor((N,), "int32"), H: T.Tensor((bins,), "int32")):
        with T.Kernel(T.ceildiv(N, block), threads=128) as bx:
            h = T.alloc_shared((bins,), "int32")
            T.clear(h)
            for i in T.Parallel(block):
                T.atomic_add(h[A[bx * block + i] % bins], 1)
            for i in T.Parallel(bins):
                T.atomic_add(H[i], h[i])

    return histogram
