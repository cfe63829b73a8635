"""Gemm with weights of four bits, two in a byte, each group of which has a scale; unpacked between copy and gemm."""
# tilescope: matmul
# tilescope: matmul --set unpack=fp4 --set group=32
# tilescope: matmul --set num_stages=1 --set threads=64 --set block_N=32
import tilelang
import tilelang.language as T
from tilelang import tvm


def nibble(byte, position):
    shift = tvm.tirx.const(4, "uint8") * tvm.tirx.Cast("uint8", position)
    return (byte >> shift) & tvm.tirx.const(15, "uint8")


def offset_integer(bits):
    """An unsigned number with an offset of eight."""
    return tvm.tirx.Cast("float32", bits) - tvm.tirx.const(8, "float32")


def small_float(bits):
    """Sign, two bits of exponent, one of mantissa: 0, 0.5, 1, 1.5, 2, 3, 4, 6."""
    mantissa = tvm.tirx.Cast("float32", bits & tvm.tirx.const(1, "uint8"))
    exponent = tvm.tirx.Cast("int32", (bits >> tvm.tirx.const(1, "uint8")) & tvm.tirx.const(3, "uint8"))
    whole = tvm.tirx.Cast("float32", tvm.tirx.shift_left(1, tvm.tirx.max(exponent, 1)))
    hidden = tvm.tirx.Select(exponent == 0, tvm.tirx.const(0.0, "float32"), tvm.tirx.const(0.5, "float32"))
    magnitude = whole * (hidden + mantissa * 0.25)
    return tvm.tirx.Select(bits >= tvm.tirx.const(8, "uint8"), -magnitude, magnitude)


@tilelang.jit(out_idx=[3])
def matmul(M=128, N=128, K=256, block_M=64, block_N=64, block_K=64, group=64, num_stages=2, threads=128, unpack="int4"):
    decode = small_float if unpack == "fp4" else offset_integer

    @T.prim_func
    def main(
            A: T.Tensor((M, K), "float16"),
            W: T.Tensor((N, K // 2), "uint8"),
            Scale: T.Tensor((N, K // group), "float16"),
            C: T.Tensor((M, N), "float32"),
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=threads) as (bx, by):
            A_shared = T.alloc_shared((block_M, block_K), "float16")
            W_shared = T.alloc_shared((block_N, block_K // 2), "uint8")
            W_local = T.alloc_fragment((block_N, block_K // 2), "uint8")
            B_local = T.alloc_fragment((block_N, block_K), "float16")
            B_shared = T.alloc_shared((block_N, block_K), "float16")
            C_local = T.alloc_fragment((block_M, block_N), "float32")
            T.clear(C_local)
            for k in T.Pipelined(K // block_K, num_stages=num_stages):
                T.copy(A[by * block_M, k * block_K], A_shared)
                T.copy(W[bx * block_N, k * block_K // 2], W_shared)
                T.copy(W_shared, W_local)
                for i, j in T.Parallel(block_N, block_K):
                    value = decode(nibble(W_local[i, j // 2], j % 2))
                    B_local[i, j] = value * Scale[bx * block_N + i, (k * block_K + j) // group]
                T.copy(B_local, B_shared)
                T.gemm(A_shared, B_shared, C_local, transpose_B=True)
            T.copy(C_local, C[by * block_M, bx * block_N])

    return main
