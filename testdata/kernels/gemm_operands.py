"""Operands of gemm in shared memory and in registers, with k as rows or as columns, in several types."""
# tilescope: matmul --set dtype=float32 --set trans_A=false --set trans_B=false
# tilescope: matmul --set dtype=float32 --set trans_A=true --set trans_B=true
# tilescope: matmul --set dtype=float32 --set trans_A=true --set trans_B=false --set block_N=24 --set threads=64
# tilescope: matmul --set dtype=int8 --set accum_dtype=int32 --set trans_A=true --set trans_B=false
# tilescope: matmul --set dtype=float8_e4m3fn --set trans_A=false --set trans_B=true
# tilescope: matmul --set dtype=float8_e5m2 --set trans_A=true --set trans_B=false
# tilescope: matmul --set dtype=uint8 --set accum_dtype=int32 --set trans_A=false --set trans_B=true
# tilescope: matmul --set dtype=int4 --set accum_dtype=int32 --set block_K=64 --set trans_A=false --set trans_B=true
# tilescope: matmul --set dtype=float64 --set accum_dtype=float64 --set trans_A=false --set trans_B=true
# tilescope: matmul --set dtype=float64 --set accum_dtype=float64 --set trans_A=true --set trans_B=false
# tilescope: matmul_registers --set trans_A=false --set trans_B=false
# tilescope: matmul_registers --set trans_A=true --set trans_B=true
# tilescope: matmul_registers --set trans_A=true --set trans_B=false --set dtype=float32
# tilescope: matmul_registers --set trans_A=false --set trans_B=true --set dtype=float32 --set threads=64
import tilelang
import tilelang.language as T


def shape_of(rows, cols, transposed):
    return (cols, rows) if transposed else (rows, cols)


@tilelang.jit(out_idx=[2])
def matmul(M=128, N=96, K=128, block_M=64, block_N=48, block_K=32, threads=128, trans_A=False,
           trans_B=False, dtype="float16", accum_dtype="float32"):
    A_tile = shape_of(block_M, block_K, trans_A)
    B_tile = shape_of(block_K, block_N, trans_B)

    @T.prim_func
    def main(
            A: T.Tensor(shape_of(M, K, trans_A), dtype),
            B: T.Tensor(shape_of(K, N, trans_B), dtype),
            C: T.Tensor((M, N), accum_dtype),
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=threads) as (bx, by):
            A_shared = T.alloc_shared(A_tile, dtype)
            B_shared = T.alloc_shared(B_tile, dtype)
            C_local = T.alloc_fragment((block_M, block_N), accum_dtype)
            T.clear(C_local)
            for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=2):
                if trans_A:
                    T.copy(A[k * block_K, by * block_M], A_shared)
                else:
                    T.copy(A[by * block_M, k * block_K], A_shared)
                if trans_B:
                    T.copy(B[bx * block_N, k * block_K], B_shared)
                else:
                    T.copy(B[k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local, transpose_A=trans_A, transpose_B=trans_B)
            T.copy(C_local, C[by * block_M, bx * block_N])

    return main


@tilelang.jit(out_idx=[2])
def matmul_registers(M=64, N=64, K=64, threads=128, trans_A=False, trans_B=False, dtype="float16"):
    """Both operands are scaled in registers on the way."""
    A_tile = shape_of(M, K, trans_A)
    B_tile = shape_of(K, N, trans_B)

    @T.prim_func
    def main(
            A: T.Tensor(A_tile, dtype),
            B: T.Tensor(B_tile, dtype),
            C: T.Tensor((M, N), "float32"),
    ):
        with T.Kernel(1, threads=threads) as _:
            A_shared = T.alloc_shared(A_tile, dtype)
            A_local = T.alloc_fragment(A_tile, dtype)
            B_local = T.alloc_fragment(B_tile, dtype)
            C_local = T.alloc_fragment((M, N), "float32")
            T.copy(A, A_shared)
            for i, j in T.Parallel(*A_tile):
                A_local[i, j] = A_shared[i, j] * 2
            for i, j in T.Parallel(*B_tile):
                B_local[i, j] = B[i, j] * 0.5
            T.clear(C_local)
            T.gemm(A_local, B_local, C_local, transpose_A=trans_A, transpose_B=trans_B)
            T.copy(C_local, C)

    return main
