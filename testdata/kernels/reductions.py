"""Reductions of rows and columns: within a thread, a warp, a block; of fragments and of shared memory."""
# tilescope: rms_norm --set M=64 --set N=1024
# tilescope: rms_norm --set M=30 --set N=4096 --set rows=2 --set threads=256
# tilescope: softmax --set M=64 --set N=512
# tilescope: softmax --set M=64 --set N=200 --set block_N=256 --set threads=64
# tilescope: extremes --set M=64 --set N=64
# tilescope: extremes --set M=128 --set N=32 --set threads=64
# tilescope: column_sums --set M=64 --set N=64
# tilescope: column_sums --set M=128 --set N=256 --set threads=64 --set block_M=16
# tilescope: prefix_sums --set columns=64
# tilescope: prefix_sums --set columns=100 --set reverse=true --set threads=64
# tilescope: prefix_sums --set rows=1 --set columns=128
# tilescope: prefix_sums --set rows=128 --set columns=1
# tilescope: prefix_sum --set N=128
# tilescope: prefix_sum --set N=1000 --set reverse=true --set threads=256
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[1])
def rms_norm(M, N, rows=1, threads=128, dtype="float32"):
    """A row is spread over all warps."""

    @T.prim_func
    def main(
            A: T.Tensor((M, N), dtype),
            B: T.Tensor((M, N), dtype),
    ):
        with T.Kernel(T.ceildiv(M, rows), threads=threads) as bm:
            A_local = T.alloc_fragment((rows, N), dtype)
            squares = T.alloc_fragment((rows, N), "float32")
            mean = T.alloc_fragment((rows,), "float32")
            T.copy(A[bm * rows:(bm + 1) * rows, :], A_local)
            for i, j in T.Parallel(rows, N):
                squares[i, j] = A_local[i, j] * A_local[i, j]
            T.reduce_sum(squares, mean, dim=1)
            for i in T.Parallel(rows):
                mean[i] = T.rsqrt(mean[i] / N + 1e-6)
            for i, j in T.Parallel(rows, N):
                A_local[i, j] *= mean[i]
            T.copy(A_local, B[bm * rows:(bm + 1) * rows, :])

    return main


@tilelang.jit(out_idx=[1])
def softmax(M, N, block_M=1, block_N=128, threads=128):
    """Two reductions an iteration, each through a workspace in shared memory."""

    @T.prim_func
    def main(
            A: T.Tensor((M, N), "float32"),
            B: T.Tensor((M, N), "float32"),
    ):
        with T.Kernel(T.ceildiv(M, block_M), threads=threads) as bm:
            part = T.alloc_fragment((block_M, block_N), "float32")
            top = T.alloc_fragment((block_M,), "float32")
            before = T.alloc_fragment((block_M,), "float32")
            total = T.alloc_fragment((block_M,), "float32")
            more = T.alloc_fragment((block_M,), "float32")
            T.fill(top, -T.infinity("float32"))
            T.clear(total)
            for k in T.serial(T.ceildiv(N, block_N)):
                for i, j in T.Parallel(block_M, block_N):
                    part[i, j] = T.if_then_else(
                        k * block_N + j < N, A[bm * block_M + i, k * block_N + j],
                        -T.infinity("float32"))
                T.copy(top, before)
                T.reduce_max(part, top, dim=1, clear=False)
                for i, j in T.Parallel(block_M, block_N):
                    part[i, j] = T.exp(part[i, j] - top[i])
                T.reduce_sum(part, more, dim=1)
                for i in T.Parallel(block_M):
                    total[i] = total[i] * T.exp(before[i] - top[i]) + more[i]
            for k in T.serial(T.ceildiv(N, block_N)):
                for i, j in T.Parallel(block_M, block_N):
                    if k * block_N + j < N:
                        B[bm * block_M + i, k * block_N + j] = T.exp(
                            A[bm * block_M + i, k * block_N + j] - top[i]) / total[i]

    return main


@tilelang.jit(out_idx=[1, 2, 3])
def extremes(M, N, threads=128):
    """Of a tile in shared memory: rows to a fragment, rows to shared memory, everything to one number."""

    @T.prim_func
    def main(
            A: T.Tensor((M, N), "float16"),
            largest: T.Tensor((M,), "float16"),
            smallest: T.Tensor((M,), "float16"),
            magnitude: T.Tensor((1,), "float32"),
    ):
        with T.Kernel(1, threads=threads) as _:
            A_shared = T.alloc_shared((M, N), "float16")
            top = T.alloc_fragment((M,), "float16")
            bottom_shared = T.alloc_shared((M,), "float16")
            row_sums = T.alloc_shared((M,), "float32")
            total = T.alloc_fragment((1,), "float32")
            T.copy(A, A_shared)
            T.reduce_max(A_shared, top, dim=1)
            T.reduce_min(A_shared, bottom_shared, dim=1)
            T.reduce_abssum(A_shared, row_sums, dim=1)
            T.reduce_sum(row_sums, total, dim=0)
            T.copy(top, largest)
            T.copy(bottom_shared, smallest)
            T.copy(total, magnitude)

    return main


@tilelang.jit(out_idx=[1, 2])
def column_sums(M, N, block_M=32, threads=128):
    """Sums over rows, added up in shared memory and in a fragment."""

    @T.prim_func
    def main(
            A: T.Tensor((M, N), "float32"),
            sums: T.Tensor((N,), "float32"),
            sums_again: T.Tensor((N,), "float32"),
    ):
        with T.Kernel(1, threads=threads) as _:
            A_shared = T.alloc_shared((2, block_M, N), "float32")
            sums_shared = T.alloc_shared((N,), "float32")
            A_local = T.alloc_fragment((block_M, N), "float32")
            sums_local = T.alloc_fragment((1, N), "float32")
            T.clear(sums_shared)
            T.clear(sums_local)
            for k in T.serial(M // block_M):
                T.copy(A[k * block_M:(k + 1) * block_M, :], A_shared[k % 2, :, :])
                T.reduce_sum(A_shared[k % 2, :, :], sums_shared, dim=1, clear=False)
                T.copy(A_shared[k % 2, :, :], A_local)
                T.reduce_sum(A_local, sums_local, dim=0, clear=False)
            T.copy(sums_shared, sums)
            for i, j in T.Parallel(1, N):
                sums_again[j] = sums_local[i, j]

    return main


@tilelang.jit(out_idx=[1, 2])
def prefix_sums(rows=24, columns=64, reverse=False, threads=128, dtype="float32"):
    """Of a fragment along its rows, which the lanes of a warp share, and of shared memory along its columns."""

    @T.prim_func
    def main(
            A: T.Tensor((rows, columns), dtype),
            along_rows: T.Tensor((rows, columns), dtype),
            along_columns: T.Tensor((rows, columns), dtype),
    ):
        with T.Kernel(1, threads=threads) as bx:
            tile = T.alloc_fragment((rows, columns), dtype)
            staged = T.alloc_shared((rows, columns), dtype)
            T.copy(A, tile)
            T.copy(A, staged)
            T.cumsum(tile, dim=1, reverse=reverse)
            T.cumsum(src=staged, dim=0, reverse=reverse)
            T.copy(tile, along_rows)
            T.copy(staged, along_columns)

    return main


@tilelang.jit(out_idx=[1, 2])
def prefix_sum(N, reverse=False, threads=128, dtype="float32"):
    """Of one line, by one of several warps."""

    @T.prim_func
    def main(
            A: T.Tensor((N,), dtype),
            of_fragment: T.Tensor((N,), dtype),
            of_shared: T.Tensor((N,), dtype),
    ):
        with T.Kernel(1, threads=threads) as bx:
            tile = T.alloc_fragment((N,), dtype)
            staged = T.alloc_shared((N,), dtype)
            T.copy(A, tile)
            T.copy(A, staged)
            T.cumsum(tile, reverse=reverse)
            T.cumsum(staged, reverse=reverse)
            T.copy(tile, of_fragment)
            T.copy(staged, of_shared)

    return main
