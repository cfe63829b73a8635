"""C = op(A) @ op(B) for each of the four transpose combinations."""
# tilescope: matmul --set M=512 --set N=384 --set K=256 --set trans_A=false --set trans_B=false
# tilescope: matmul --set M=512 --set N=384 --set K=256 --set trans_A=false --set trans_B=true
# tilescope: matmul --set M=512 --set N=384 --set K=256 --set trans_A=true --set trans_B=false
# tilescope: matmul --set M=512 --set N=384 --set K=256 --set trans_A=true --set trans_B=true
# tilescope: matmul --set M=256 --set N=256 --set K=128 --set trans_B=true --set policy=FullRow
# tilescope: matmul --set M=256 --set N=256 --set K=128 --set trans_B=true --set policy=FullCol
# tilescope: matmul --set M=256 --set N=256 --set K=128 --set block_K=16
# tilescope: matmul --set M=256 --set N=256 --set K=128 --set block_K=64 --set trans_A=true
import tilelang
import tilelang.language as T

POLICIES = {
    "Square": T.GemmWarpPolicy.Square,
    "FullRow": T.GemmWarpPolicy.FullRow,
    "FullCol": T.GemmWarpPolicy.FullCol,
}


def shape_of(rows, cols, transposed):
    return (cols, rows) if transposed else (rows, cols)


@tilelang.jit(out_idx=[2])
def matmul(M, N, K, trans_A=False, trans_B=False, block_M=128, block_N=128, block_K=32,
           num_stages=2, threads=128, policy="Square", dtype="float16", through_shared=False):
    A_tile = shape_of(block_M, block_K, trans_A)
    B_tile = shape_of(block_K, block_N, trans_B)

    @T.prim_func
    def main(
            A: T.Tensor(shape_of(M, K, trans_A), dtype),
            B: T.Tensor(shape_of(K, N, trans_B), dtype),
            C: T.Tensor((M, N), dtype),
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=threads) as (bx, by):
            A_shared = T.alloc_shared(A_tile, dtype)
            B_shared = T.alloc_shared(B_tile, dtype)
            C_local = T.alloc_fragment((block_M, block_N), "float32")

            T.clear(C_local)
            for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=num_stages):
                if trans_A:
                    T.copy(A[k * block_K, by * block_M], A_shared)
                else:
                    T.copy(A[by * block_M, k * block_K], A_shared)
                if trans_B:
                    T.copy(B[bx * block_N, k * block_K], B_shared)
                else:
                    T.copy(B[k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local, transpose_A=trans_A, transpose_B=trans_B,
                       policy=POLICIES[policy])
            if through_shared:
                C_shared = T.alloc_shared((block_M, block_N), dtype)
                T.copy(C_local, C_shared)
                T.copy(C_shared, C[by * block_M, bx * block_N])
            else:
                T.copy(C_local, C[by * block_M, bx * block_N])

    return main
