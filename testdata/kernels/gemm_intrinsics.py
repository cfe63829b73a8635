# C = op(A) @ op(B) by instructions of the tensor core that the kernel itself issues: each of four
# warps loads fragments of its operands from shared memory and accumulates a tile of its own.
#
# tilescope: matmul
# tilescope: matmul --set M=64 --set N=48 --set K=96 --set warp_N=24 --set trans_A=True --set trans_B=False
# tilescope: matmul --set dtype=int8 --set accum_dtype=int32 --set K=128 --set block_K=64
# tilescope: matmul --set dtype=float32 --set trans_A=True --set trans_B=False
# tilescope: matmul --set dtype=int8 --set accum_dtype=int32 --set trans_A=True --set trans_B=False
import tilelang
import tilelang.language as T
from tilelang.cuda.intrinsics.macro.mma_macro_generator import TensorCoreIntrinEmitter

WARPS = 2  # along each axis


@tilelang.jit
def matmul(
    M=128, N=128, K=64, warp_M=32, warp_N=32, block_K=32, dtype="float16", accum_dtype="float32", trans_A=False, trans_B=True
):
    block_M = WARPS * warp_M
    block_N = WARPS * warp_N
    tensor_cores = TensorCoreIntrinEmitter(
        a_dtype=dtype,
        b_dtype=dtype,
        accum_dtype=accum_dtype,
        a_transposed=trans_A,
        b_transposed=trans_B,
        block_row_warps=WARPS,
        block_col_warps=WARPS,
        warp_row_tiles=warp_M,
        warp_col_tiles=warp_N,
        chunk=block_K,
    )
    tile_A = (block_K, block_M) if trans_A else (block_M, block_K)
    tile_B = (block_N, block_K) if trans_B else (block_K, block_N)

    @T.prim_func
    def main(
        A: T.Tensor((K, M) if trans_A else (M, K), dtype),
        B: T.Tensor((N, K) if trans_B else (K, N), dtype),
        C: T.Tensor((M, N), accum_dtype),
    ):
        with T.Kernel(N // block_N, M // block_M, threads=tensor_cores.threads) as (bx, by):
            A_shared = T.alloc_shared(tile_A, dtype)
            B_shared = T.alloc_shared(tile_B, dtype)
            A_local = T.alloc_local((tensor_cores.warp_rows * tensor_cores.local_size_a,), dtype)
            B_local = T.alloc_local((tensor_cores.warp_cols * tensor_cores.local_size_b,), dtype)
            C_local = T.alloc_local(
                (tensor_cores.warp_rows * tensor_cores.warp_cols * tensor_cores.local_size_out,), accum_dtype
            )
            T.clear(C_local)
            for ko in T.serial(K // block_K):
                if trans_A:
                    T.copy(A[ko * block_K, by * block_M], A_shared)
                else:
                    T.copy(A[by * block_M, ko * block_K], A_shared)
                if trans_B:
                    T.copy(B[bx * block_N, ko * block_K], B_shared)
                else:
                    T.copy(B[ko * block_K, bx * block_N], B_shared)
                for ki in T.serial(block_K // tensor_cores.micro_size_k):
                    tensor_cores.ldmatrix_a(A_local, A_shared, ki)
                    tensor_cores.ldmatrix_b(B_local, B_shared, ki)
                    tensor_cores.mma(A_local, B_local, C_local)
            tensor_cores.stmatrix(C_local, C, pid_m=by, pid_n=bx)

    return main
