"""Split-K with a ticket: the block that is the last to add its part writes the product in the type of the
operands. Sums and tickets are zero before."""
# tilescope-run: --fill Sums=zeros --fill Tickets=zeros
# tilescope: matmul --set M=128 --set N=128 --set K=512
# tilescope-run: --fill Sums=zeros --fill Tickets=zeros
# tilescope: matmul --set M=128 --set N=64 --set K=256 --set split_k=2 --set block_N=32
import tilelang
import tilelang.language as T


@tilelang.jit
def matmul(M, N, K, block_M=64, block_N=64, block_K=32, split_k=4, dtype="float16", threads=128):
    part = K // split_k

    @T.prim_func
    def main(A: T.Tensor((M, K), dtype), B: T.Tensor((K, N), dtype), Sums: T.Tensor((M, N), "float32"),
             Tickets: T.Tensor((M // block_M, N // block_N), "int32"), C: T.Tensor((M, N), dtype)):
        with T.Kernel(N // block_N, M // block_M, split_k, threads=threads) as (bx, by, bz):
            A_shared = T.alloc_shared((block_M, block_K), dtype)
            B_shared = T.alloc_shared((block_K, block_N), dtype)
            product = T.alloc_fragment((block_M, block_N), "float32")
            ticket = T.alloc_shared((1,), "int32")
            tx = T.get_thread_binding()
            T.clear(product)
            for k in T.Pipelined(part // block_K, num_stages=2):
                T.copy(A[by * block_M, bz * part + k * block_K], A_shared)
                T.copy(B[bz * part + k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, product)
            T.atomic_add(Sums[by * block_M, bx * block_N], product)
            T.sync_threads()
            if tx == 0:
                ticket[0] = T.atomic_add(Tickets[by, bx], 1, memory_order="acq_rel", return_prev=True)
            T.sync_threads()
            if ticket[0] == split_k - 1:
                for i, j in T.Parallel(block_M, block_N):
                    total = T.atomic_load(Sums[by * block_M + i, bx * block_N + j], memory_order="relaxed")
                    C[by * block_M + i, bx * block_N + j] = T.cast(total, dtype)

    return main
