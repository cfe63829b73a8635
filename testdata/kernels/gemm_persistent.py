"""A GEMM whose blocks stay: each takes tiles of C, a wave after the other, in an order that keeps what they share in the L2."""
# tilescope: matmul
# tilescope: matmul --set M=192 --set N=320 --set group=2 --set blocks=7
import tilelang
import tilelang.language as T
from tilelang.carver.arch import driver


@tilelang.jit
def matmul(A, B, M=256, N=256, K=128, block_M=64, block_N=64, block_K=32, num_stages=2, group=8, blocks=None):
    A: T.Tensor((M, K), "float16")
    B: T.Tensor((K, N), "float16")
    C = T.empty((M, N), "float16")
    tiles = T.ceildiv(M, block_M), T.ceildiv(N, block_N)
    wave = driver.get_num_sms() if blocks is None else blocks
    with T.Kernel(wave, threads=128) as block:
        A_shared = T.alloc_shared((block_M, block_K), "float16")
        B_shared = T.alloc_shared((block_K, block_N), "float16")
        C_local = T.alloc_fragment((block_M, block_N), "float32")
        for by, bx in T.Persistent(tiles, wave, block, group):
            T.clear(C_local)
            for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=num_stages):
                T.copy(A[by * block_M, k * block_K], A_shared)
                T.copy(B[k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.copy(C_local, C[by * block_M, bx * block_N])
    return C
