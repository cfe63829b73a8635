"""Fragments whose index is flattened, divided, or a serial step beside a parallel one."""
# tilescope: unpack_nibbles --set M=64 --set N=128
# tilescope: unpack_nibbles --set M=96 --set N=256 --set block_N=64 --set threads=64
# tilescope: flat_rows --set M=64 --set N=64
# tilescope: flat_rows --set M=50 --set N=128 --set rows=2 --set threads=64
# tilescope: squares_beside_gemm --set M=64 --set K=128
# tilescope: mix_rows --set M=3 --set N=1024
# tilescope: mix_rows --set M=2 --set N=384 --set block_N=128 --set threads=64
import tilelang
import tilelang.language as T


@tilelang.jit
def unpack_nibbles(M, N, block_M=32, block_N=128, threads=128):
    """Two values of a byte lie on the thread that holds the byte."""

    @T.prim_func
    def main(
            Packed: T.Tensor((M, N // 2), "uint8"),
            Scale: T.Tensor((M,), "float32"),
            Out: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=threads) as (bn, bm):
            packed = T.alloc_fragment((block_M, block_N // 2), "uint8")
            scale = T.alloc_fragment((block_M,), "float32")
            values = T.alloc_fragment((block_M, block_N), "float16")
            T.copy(Packed[bm * block_M, bn * (block_N // 2)], packed)
            T.copy(Scale[bm * block_M], scale)
            for i, j in T.Parallel(block_M, block_N):
                nibble = (packed[i, j // 2] >> ((j % 2) * 4).astype("uint8")) & 15
                values[i, j] = nibble.astype("float32") * scale[i]
            T.copy(values, Out[bm * block_M, bn * block_N])

    return main


@tilelang.jit
def flat_rows(M, N, rows=4, threads=128):
    """A fragment of one dimension, indexed by the rows and columns that it stands for."""

    @T.prim_func
    def main(
            A: T.Tensor((M, N), "float32"),
            B: T.Tensor((M, N), "float32"),
    ):
        with T.Kernel(T.ceildiv(M, rows), threads=threads) as bm:
            flat = T.alloc_fragment((rows * N,), "float32")
            weight = T.alloc_fragment((N,), "float32")
            for j in T.Parallel(N):
                weight[j] = T.exp2(-(j % 8).astype("float32"))
            for i, j in T.Parallel(rows, N):
                flat[i * N + j] = A[bm * rows + i, j]
            for i, j in T.Parallel(rows, N):
                B[bm * rows + i, j] = flat[i * N + j] * weight[j]

    return main


@tilelang.jit
def squares_beside_gemm(M, K, block_M=32, block_K=64, N=32, threads=128):
    """The sum of squares of an operand that lies as tensor cores want it, four columns at a time."""

    @T.prim_func
    def main(
            A: T.Tensor((M, K), "float16"),
            B: T.Tensor((N, K), "float16"),
            C: T.Tensor((M, N), "float32"),
            Squares: T.Tensor((M,), "float32"),
    ):
        with T.Kernel(T.ceildiv(M, block_M), threads=threads) as bm:
            A_shared = T.alloc_shared((block_M, block_K), "float16")
            B_shared = T.alloc_shared((N, block_K), "float16")
            A_local = T.alloc_fragment((block_M, block_K), "float16")
            C_local = T.alloc_fragment((block_M, N), "float32")
            part = T.alloc_fragment((block_M, 8), "float32")
            total = T.alloc_fragment((block_M,), "float32")
            T.clear(C_local)
            T.clear(part)
            for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=2):
                T.copy(A[bm * block_M, k * block_K], A_shared)
                T.copy(B[0, k * block_K], B_shared)
                T.copy(A_shared, A_local)
                for step in T.unroll(block_K // 8):
                    for i, j in T.Parallel(block_M, 8):
                        part[i, j] += A_local[i, step * 8 + j].astype("float32") * A_local[i, step * 8 + j]
                T.gemm(A_local, B_shared, C_local, transpose_B=True)
            T.reduce_sum(part, total, dim=1)
            T.copy(total, Squares[bm * block_M])
            T.copy(C_local, C[bm * block_M, 0])

    return main


@tilelang.jit
def mix_rows(M, N, streams=4, block_N=256, threads=128):
    """Small tiles that every thread needs, copied before the large one that decides who holds what."""

    @T.prim_func
    def main(
            Mix: T.Tensor((M, streams, streams), "float32"),
            Gain: T.Tensor((M, streams), "float32"),
            X: T.Tensor((M, streams, N), "float16"),
            Y: T.Tensor((M, streams, N), "float16"),
    ):
        with T.Kernel(M, threads=threads) as m:
            mix = T.alloc_fragment((streams, streams), "float32")
            gain = T.alloc_fragment((streams,), "float32")
            x = T.alloc_fragment((streams, block_N), "float32")
            y = T.alloc_fragment((streams, block_N), "float32")
            T.copy(Mix[m, 0, 0], mix)
            T.copy(Gain[m, 0], gain)
            for n in T.serial(T.ceildiv(N, block_N)):
                T.copy(X[m, 0, n * block_N], x)
                for i, j in T.Parallel(streams, block_N):
                    y[i, j] = gain[i]
                    for k in T.serial(streams):
                        y[i, j] += mix[k, i] * x[k, j]
                T.copy(y, Y[m, 0, n * block_N])

    return main
