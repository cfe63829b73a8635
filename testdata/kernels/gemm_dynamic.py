"""GEMM whose row count, or every size, is known only at launch."""
# tilescope-run: --dim m=1000
# tilescope: matmul_dynamic_m --set N=512 --set K=256
# tilescope-run: --dim m=300 --dim n=272 --dim k=200
# tilescope: matmul_dynamic_all
# tilescope-run: --dim m=300 --dim n=271 --dim k=33
# tilescope: matmul_dynamic_all --set num_stages=2
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def matmul_dynamic_m(N, K, block_M=128, block_N=128, block_K=32, num_stages=3, dtype="float16"):
    M = T.dynamic("m")

    @T.prim_func
    def main(
            A: T.Tensor((M, K), dtype),
            B: T.Tensor((K, N), dtype),
            C: T.Tensor((M, N), dtype),
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=128) as (bx, by):
            A_shared = T.alloc_shared((block_M, block_K), dtype)
            B_shared = T.alloc_shared((block_K, block_N), dtype)
            C_local = T.alloc_fragment((block_M, block_N), "float32")
            T.clear(C_local)
            for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=num_stages):
                T.copy(A[by * block_M, k * block_K], A_shared)
                T.copy(B[k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.copy(C_local, C[by * block_M, bx * block_N])

    return main


@tilelang.jit(out_idx=[-1])
def matmul_dynamic_all(block_M=128, block_N=128, block_K=32, num_stages=3, dtype="float16"):
    M = T.dynamic("m")
    N = T.dynamic("n")
    K = T.dynamic("k")

    @T.prim_func
    def main(
            A: T.Tensor((M, K), dtype),
            B: T.Tensor((K, N), dtype),
            C: T.Tensor((M, N), dtype),
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=128) as (bx, by):
            A_shared = T.alloc_shared((block_M, block_K), dtype)
            B_shared = T.alloc_shared((block_K, block_N), dtype)
            C_local = T.alloc_fragment((block_M, block_N), "float32")
            T.clear(C_local)
            for ko in T.Pipelined(T.ceildiv(K, block_K), num_stages=num_stages):
                T.copy(A[by * block_M, ko * block_K], A_shared)
                T.copy(B[ko * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.copy(C_local, C[by * block_M, bx * block_N])

    return main
