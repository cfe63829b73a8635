"""Products with rows that an index in memory chooses: one by one, where it is valid, and in blocks that a mask lets through."""
# tilescope: gathered_gemm --set M=64 --set N=64 --set rows=256 --set K=128
# tilescope: gathered_gemm --set M=48 --set N=32 --set rows=100 --set K=64 --set num_stages=2 --set threads=64
# tilescope: scored_rows --set H=16 --set D=64 --set rows=512 --set picked=128
# tilescope: scored_rows --set H=32 --set D=128 --set rows=300 --set picked=192 --set block=64 --set num_stages=3
# tilescope: masked_blocks --set M=64 --set N=64 --set blocks=6
# tilescope: masked_blocks --set M=32 --set N=128 --set blocks=3 --set num_stages=3 --set threads=64
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[3])
def gathered_gemm(M, N, rows, K, block_M=16, block_K=32, num_stages=3, threads=32):
    """C[i] = A[P[i]] @ B: the rows of one block are the same in all iterations."""

    @T.prim_func
    def main(
            A: T.Tensor((rows, K), "float16"),
            P: T.Tensor((M,), "int32"),
            B: T.Tensor((K, N), "float16"),
            C: T.Tensor((M, N), "float32"),
    ):
        with T.Kernel(T.ceildiv(M, block_M), threads=threads) as by:
            A_shared = T.alloc_shared((block_M, block_K), "float16")
            B_shared = T.alloc_shared((block_K, N), "float16")
            C_local = T.alloc_fragment((block_M, N), "float32")
            T.clear(C_local)
            for k in T.Pipelined(K // block_K, num_stages=num_stages):
                for i, j in T.Parallel(block_M, block_K):
                    A_shared[i, j] = A[P[by * block_M + i], k * block_K + j]
                T.copy(B[k * block_K, 0], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.copy(C_local, C[by * block_M, 0])

    return main


@tilelang.jit(out_idx=[3])
def scored_rows(H, D, rows, picked, block=32, num_stages=2, threads=128):
    """Attention without a maximum over rows that are picked; a negative index picks none."""

    @T.prim_func
    def main(
            Q: T.Tensor((H, D), "float16"),
            KV: T.Tensor((rows, D), "float16"),
            P: T.Tensor((picked,), "int32"),
            O: T.Tensor((H, D), "float32"),
    ):
        with T.Kernel(1, threads=threads) as bx:
            Q_shared = T.alloc_shared((H, D), "float16")
            KV_shared = T.alloc_shared((block, D), "float16")
            S_shared = T.alloc_shared((H, block), "float16")
            scores = T.alloc_fragment((H, block), "float32")
            output = T.alloc_fragment((H, D), "float32")
            T.copy(Q, Q_shared)
            T.clear(output)
            for k in T.Pipelined(picked // block, num_stages=num_stages):
                for i, j in T.Parallel(block, D):
                    row = P[k * block + i]
                    KV_shared[i, j] = T.if_then_else(row >= 0, KV[row, j], 0)
                T.clear(scores)
                T.gemm(Q_shared, KV_shared, scores, transpose_B=True, policy=T.GemmWarpPolicy.FullCol)
                T.copy(scores, S_shared)
                T.gemm(S_shared, KV_shared, output, policy=T.GemmWarpPolicy.FullCol)
            T.copy(output, O)

    return main


@tilelang.jit(out_idx=[3])
def masked_blocks(M, N, blocks, block_K=32, num_stages=2, threads=128):
    """Adds the products of those blocks that the mask lets through."""

    @T.prim_func
    def main(
            A: T.Tensor((M, blocks * block_K), "float16"),
            B: T.Tensor((blocks * block_K, N), "float16"),
            Mask: T.Tensor((blocks,), "int32"),
            C: T.Tensor((M, N), "float32"),
    ):
        with T.Kernel(1, threads=threads) as bx:
            A_shared = T.alloc_shared((M, block_K), "float16")
            B_shared = T.alloc_shared((block_K, N), "float16")
            C_local = T.alloc_fragment((M, N), "float32")
            T.clear(C_local)
            for k in T.Pipelined(blocks, num_stages=num_stages):
                if Mask[k] != 0:
                    T.copy(A[0, k * block_K], A_shared)
                    T.copy(B[k * block_K, 0], B_shared)
                    T.gemm(A_shared, B_shared, C_local)
            T.copy(C_local, C)

    return main
