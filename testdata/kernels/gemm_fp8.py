"""Gemm of eight-bit floats with a scale for each 128 of a row of A and for each 128 x 128 of B: sums over 128 are scaled and
then added to those of float32."""
# tilescope: matmul --set M=128 --set N=128 --set K=256
# tilescope-spills-ok: for sm_90a ptxas keeps to 72 registers of its own accord, and spills four bytes
# tilescope: matmul --set M=100 --set N=256 --set K=384 --set block_M=32 --set block_N=64 --set num_stages=3 --set dtype=float8_e5m2
# tilescope: quantize --set M=64 --set K=256
# tilescope: quantize --set M=30 --set K=384 --set block_M=8 --set dtype=float8_e5m2
import tilelang
import tilelang.language as T

GROUP = 128


def largest(dtype):
    return 448.0 if dtype == "float8_e4m3fn" else 57344.0


@tilelang.jit(out_idx=[4])
def matmul(M, N, K, block_M=64, block_N=32, num_stages=2, threads=128, dtype="float8_e4m3fn"):
    groups = K // GROUP

    @T.prim_func
    def main(
            A: T.Tensor((M, K), dtype),
            A_scale: T.Tensor((M, groups), "float32"),
            B: T.Tensor((N, K), dtype),
            B_scale: T.Tensor((N // GROUP, groups), "float32"),
            C: T.Tensor((M, N), "bfloat16"),
    ):
        with T.Kernel(N // block_N, T.ceildiv(M, block_M), threads=threads) as (bx, by):
            A_shared = T.alloc_shared((block_M, GROUP), dtype)
            B_shared = T.alloc_shared((block_N, GROUP), dtype)
            scale = T.alloc_shared((block_M,), "float32")
            part = T.alloc_fragment((block_M, block_N), "float32")
            total = T.alloc_fragment((block_M, block_N), "float32")
            T.clear(total)
            for k in T.Pipelined(groups, num_stages=num_stages):
                T.copy(A[by * block_M, k * GROUP], A_shared)
                T.copy(B[bx * block_N, k * GROUP], B_shared)
                for i in T.Parallel(block_M):
                    row = by * block_M + i
                    scale[i] = T.if_then_else(row < M, A_scale[row, k] * B_scale[bx * block_N // GROUP, k], 0)
                T.gemm(A_shared, B_shared, part, transpose_B=True, clear_accum=True)
                for i, j in T.Parallel(block_M, block_N):
                    total[i, j] += part[i, j] * scale[i]
            T.copy(total, C[by * block_M, bx * block_N])

    return main


@tilelang.jit(out_idx=[1, 2])
def quantize(M, K, block_M=32, threads=128, dtype="float8_e4m3fn"):
    """Each 128 of a row: the largest one becomes the largest number of eight bits."""

    @T.prim_func
    def main(X: T.Tensor((M, K), "float32"), Y: T.Tensor((M, K), dtype), scale: T.Tensor((M, K // GROUP), "float32")):
        with T.Kernel(K // GROUP, T.ceildiv(M, block_M), threads=threads) as (bk, bm):
            x = T.alloc_fragment((block_M, GROUP), "float32")
            y = T.alloc_fragment((block_M, GROUP), dtype)
            most = T.alloc_fragment((block_M,), "float32")
            T.copy(X[bm * block_M, bk * GROUP], x)
            T.reduce_absmax(x, most, dim=1)
            for i in T.Parallel(block_M):
                most[i] = T.max(most[i], 1e-4) / largest(dtype)
            for i, j in T.Parallel(block_M, GROUP):
                y[i, j] = T.clamp(x[i, j] / most[i], -largest(dtype), largest(dtype))
            T.copy(y, Y[bm * block_M, bk * GROUP])
            for i in T.Parallel(block_M):
                if bm * block_M + i < M:
                    scale[bm * block_M + i, bk] = most[i]

    return main
