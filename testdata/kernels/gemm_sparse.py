"""C = A @ B, where of every four neighbours in a row of A two are kept, and E says which."""
# tilescope: matmul_sparse --set M=256 --set N=256 --set K=256
# tilescope: matmul_sparse --set M=128 --set N=128 --set K=128 --set meta=int32 --set num_stages=0
import tilelang
import tilelang.language as T


@tilelang.jit
def matmul_sparse(kept, E, B, M: int = 256, N: int = 256, K: int = 256, block: int = 64, num_stages: int = 2,
                  dtype: T.dtype = T.float16, meta: T.dtype = T.int16):
    per_word = meta.bits
    kept: T.Tensor[[M, K // 2], dtype]
    E: T.Tensor[[M, K // per_word], meta]
    B: T.Tensor[[K, N], dtype]
    C = T.empty([M, N], T.float32)

    with T.Kernel(T.ceildiv(N, block), T.ceildiv(M, block), threads=128) as (bx, by):
        kept_tile = T.alloc_shared((block, block // 2), dtype)
        places = T.alloc_shared((block, block // per_word), meta)
        B_tile = T.alloc_shared((block, block), dtype)
        sums = T.alloc_fragment((block, block), T.float32)
        T.clear(sums)
        for k in T.Pipelined(T.ceildiv(K, block), num_stages=num_stages):
            T.copy(kept[by * block, k * block // 2], kept_tile)
            T.copy(E[by * block, k * block // per_word], places)
            T.copy(B[k * block, bx * block], B_tile)
            T.gemm_sp(kept_tile, places, B_tile, sums)
        T.copy(sums, C[by * block, bx * block])
    return C
