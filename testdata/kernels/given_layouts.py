"""Layouts that the kernel gives: who holds which element of a fragment, and how a tile lies in shared memory."""
# tilescope: row_norms --set M=64 --set N=64
# tilescope: row_norms --set M=32 --set N=128 --set block_M=8 --set threads=64
# tilescope: gemm_swizzled --set M=64 --set N=64 --set K=64
# tilescope: gemm_swizzled --set M=128 --set N=64 --set K=96 --set block_M=64
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[1, 2])
def row_norms(M, N, block_M=16, threads=128):
    """A group of neighbouring threads has a row, each of them a run of its columns."""
    per_row = threads // block_M
    run = N // per_row

    @T.prim_func
    def main(
            A: T.Tensor((M, N), "float32"),
            B: T.Tensor((M, N), "float32"),
            Norms: T.Tensor((M,), "float32"),
    ):
        with T.Kernel(M // block_M, threads=threads) as bm:
            held = T.alloc_fragment((block_M, N), "float32")
            squares = T.alloc_fragment((block_M, N), "float32")
            norms = T.alloc_fragment((block_M,), "float32")
            T.annotate_layout({
                held: T.Fragment((block_M, N), forward_fn=lambda i, j: (i * per_row + j // run, j % run)),
                norms: T.Fragment((block_M,), forward_thread_fn=lambda i, copy: i * per_row + copy, replicate=per_row,
                                  forward_index_fn=lambda i: 0),
            })
            T.copy(A[bm * block_M, 0], held)
            for i, j in T.Parallel(block_M, N):
                squares[i, j] = held[i, j] * held[i, j]
            T.reduce_sum(squares, norms, dim=1)
            for i, j in T.Parallel(block_M, N):
                held[i, j] = held[i, j] * T.rsqrt(norms[i] + 1e-6)
            T.copy(held, B[bm * block_M, 0])
            T.copy(norms, Norms[bm * block_M])

    return main


@tilelang.jit(out_idx=[2])
def gemm_swizzled(M, N, K, block_M=32, block_K=32, threads=128):
    """The tiles of a product with the swizzles that the kernel's author chose."""

    @T.prim_func
    def main(
            A: T.Tensor((M, K), "float16"),
            B: T.Tensor((K, N), "float16"),
            C: T.Tensor((M, N), "float32"),
    ):
        with T.Kernel(M // block_M, threads=threads) as bm:
            A_shared = T.alloc_shared((block_M, block_K), "float16")
            B_shared = T.alloc_shared((block_K, N), "float16")
            C_local = T.alloc_fragment((block_M, N), "float32")
            T.annotate_layout({
                A_shared: tilelang.layout.make_quarter_bank_swizzled_layout(A_shared),
                B_shared: tilelang.layout.make_swizzled_layout(B_shared),
            })
            T.clear(C_local)
            for k in T.Pipelined(K // block_K, num_stages=2):
                T.copy(A[bm * block_M, k * block_K], A_shared)
                T.copy(B[k * block_K, 0], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.copy(C_local, C[bm * block_M, 0])

    return main


# tilescope: columns_first --set M=64 --set N=64
# tilescope: columns_first --set M=32 --set N=96 --set threads=96
@tilelang.jit(out_idx=[1])
def columns_first(M, N, block_M=32, threads=128):
    """Loops and copies whose iterations the kernel spreads: neighbouring threads have neighbouring rows."""
    per_row = threads // block_M
    run = N // per_row

    @T.prim_func
    def main(
            A: T.Tensor((M, N), "float16"),
            B: T.Tensor((M, N), "float32"),
    ):
        with T.Kernel(M // block_M, threads=threads) as bm:
            tile = T.alloc_shared((block_M, N), "float16")
            by_rows = T.Fragment((block_M, N), forward_fn=lambda i, j: (j // run * block_M + i, j % run))
            T.copy(A[bm * block_M:(bm + 1) * block_M, 0:N], tile, loop_layout=by_rows)
            for i, j in T.Parallel(block_M, N, loop_layout=by_rows):
                B[bm * block_M + i, j] = T.cast(tile[i, j], "float32") * 2.0

    return main
