"""Several pipelined loops, one after another, over the same shared tiles."""
# tilescope: matmul_halves --set first=2 --set second=4
# tilescope: matmul_halves --set first=4 --set second=2
# tilescope: matmul_halves --set first=3 --set second=1
# tilescope: matmul_halves --set first=1 --set second=3
# tilescope: matmul_halves --set first=2 --set second=2
# tilescope: matmul_halves --set first=0 --set second=3
# tilescope: matmul_thirds --set first=2 --set second=3 --set third=4
# tilescope: matmul_read_after --set num_stages=3
# tilescope: matmul_read_after --set num_stages=1
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def matmul_halves(M=512, N=512, K=512, block_M=64, block_N=64, block_K=32, first=2, second=4,
                  dtype="float16"):
    half = K // 2

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
            for k in T.Pipelined(half // block_K, num_stages=first):
                T.copy(A[by * block_M, k * block_K], A_shared)
                T.copy(B[k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            for k in T.Pipelined(half // block_K, num_stages=second):
                T.copy(A[by * block_M, half + k * block_K], A_shared)
                T.copy(B[half + k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.copy(C_local, C[by * block_M, bx * block_N])

    return main


@tilelang.jit(out_idx=[-1])
def matmul_thirds(M=512, N=512, K=768, block_M=64, block_N=64, block_K=32, first=2, second=3,
                  third=4, dtype="float16"):
    part = K // 3

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
            for k in T.Pipelined(part // block_K, num_stages=first):
                T.copy(A[by * block_M, k * block_K], A_shared)
                T.copy(B[k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            for k in T.Pipelined(part // block_K, num_stages=second):
                T.copy(A[by * block_M, part + k * block_K], A_shared)
                T.copy(B[part + k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            for k in T.Pipelined(part // block_K, num_stages=third):
                T.copy(A[by * block_M, 2 * part + k * block_K], A_shared)
                T.copy(B[2 * part + k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.copy(C_local, C[by * block_M, bx * block_N])

    return main


@tilelang.jit(out_idx=[-2, -1])
def matmul_read_after(M=256, N=256, K=256, block_M=64, block_N=64, block_K=32, num_stages=3,
                      dtype="float16"):
    """Writes the last tile of A besides the product: it reads what the loop left in A_shared."""

    @T.prim_func
    def main(
            A: T.Tensor((M, K), dtype),
            B: T.Tensor((K, N), dtype),
            C: T.Tensor((M, N), dtype),
            last: T.Tensor((M, block_K), dtype),
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=128) as (bx, by):
            A_shared = T.alloc_shared((block_M, block_K), dtype)
            B_shared = T.alloc_shared((block_K, block_N), dtype)
            C_local = T.alloc_fragment((block_M, block_N), "float32")
            T.clear(C_local)
            for k in T.Pipelined(K // block_K, num_stages=num_stages):
                T.copy(A[by * block_M, k * block_K], A_shared)
                T.copy(B[k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.copy(A_shared, last[by * block_M, 0])
            T.copy(C_local, C[by * block_M, bx * block_N])

    return main
