"""Gemm with weights of four bits, two in a byte, which CUDA of the author's own unpacks between copy and gemm."""
# tilescope-not-run: what foreign code computes is not known here
# tilescope: matmul
# tilescope-not-run: what foreign code computes is not known here
# tilescope: matmul --set num_stages=1 --set threads=64 --set block_M=32
import tilelang
import tilelang.language as T

# A byte becomes two numbers from -8 to 7.
UNPACK = """
template <typename Byte, typename Number>
__device__ void unpack_nibbles(const Byte *bytes, Number *numbers, int count) {
#pragma unroll
  for (int i = 0; i < count; ++i) {
    numbers[2 * i] = Number(float(bytes[i] & 15) - 8.0f);
    numbers[2 * i + 1] = Number(float(bytes[i] >> 4) - 8.0f);
  }
}
"""


@tilelang.jit(out_idx=[2])
def matmul(M=128, N=128, K=256, block_M=64, block_N=64, block_K=64, num_stages=2, threads=128):
    bytes_at_once = 4
    runs = block_N * block_K // 2 // (threads * bytes_at_once)

    @T.prim_func
    def main(
            A: T.Tensor((M, K), "float16"),
            W: T.Tensor((N, K // 2), "uint8"),
            C: T.Tensor((M, N), "float32"),
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=threads) as (bx, by):
            A_shared = T.alloc_shared((block_M, block_K), "float16")
            W_shared = T.alloc_shared((block_N, block_K // 2), "uint8")
            B_shared = T.alloc_shared((block_N, block_K), "float16")
            packed = T.alloc_local((bytes_at_once,), "uint8")
            numbers = T.alloc_local((2 * bytes_at_once,), "float16")
            C_local = T.alloc_fragment((block_M, block_N), "float32")
            tx = T.get_thread_binding()
            T.import_source(UNPACK)
            T.clear(C_local)
            for k in T.Pipelined(K // block_K, num_stages=num_stages):
                T.copy(A[by * block_M, k * block_K], A_shared)
                T.copy(W[bx * block_N, k * block_K // 2], W_shared)
                for i in T.serial(runs):
                    first = (i * threads + tx) * bytes_at_once
                    for v in T.vectorized(bytes_at_once):
                        row, column = T.index_to_coordinates(first + v, (block_N, block_K // 2))
                        packed[v] = W_shared[row, column]
                    T.call_extern("handle", "unpack_nibbles", T.access_ptr(packed, "r"),
                                  T.access_ptr(numbers, "w"), bytes_at_once)
                    for v in T.vectorized(2 * bytes_at_once):
                        row, column = T.index_to_coordinates(2 * first + v, (block_N, block_K))
                        B_shared[row, column] = numbers[v]
                T.gemm(A_shared, B_shared, C_local, transpose_B=True)
            T.copy(C_local, C[by * block_M, bx * block_N])

    return main
