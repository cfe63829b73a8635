"""Split-K: each block sums a part of K and adds it atomically to the result."""
# tilescope: matmul --set M=256 --set N=256 --set K=1024
# tilescope: matmul --set M=256 --set N=384 --set K=1024 --set split_k=2 --set num_stages=3
import tilelang
import tilelang.language as T


@tilelang.jit
def matmul(M, N, K, block_M=128, block_N=128, block_K=32, split_k=4, num_stages=2,
           dtype="float16"):
    part = K // split_k
    assert part % block_K == 0, f"a part of {part} is no multiple of {block_K}"

    @T.prim_func
    def main(
            A: T.Tensor((M, K), dtype),
            B: T.Tensor((K, N), dtype),
            C: T.Tensor((M, N), "float32"),
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), split_k,
                      threads=128) as (bx, by, bz):
            A_shared = T.alloc_shared((block_M, block_K), dtype)
            B_shared = T.alloc_shared((block_K, block_N), dtype)
            C_local = T.alloc_fragment((block_M, block_N), "float32")
            T.clear(C_local)
            for ko in T.Pipelined(part // block_K, num_stages=num_stages):
                T.copy(A[by * block_M, bz * part + ko * block_K], A_shared)
                T.copy(B[bz * part + ko * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            for i, j in T.Parallel(block_M, block_N):
                T.atomic_add(C[by * block_M + i, bx * block_N + j], C_local[i, j])

    return main
