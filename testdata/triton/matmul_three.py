"""C = A * B^T of A in bfloat16 and B in float32, by as many products of tensor cores as PRECISION says."""

import triton
import triton.language as tl


@triton.jit
def matmul_three(a, b, c, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, PRECISION: tl.constexpr):
    rows, columns, depth = tl.arange(0, BLOCK_M), tl.arange(0, BLOCK_N), tl.arange(0, BLOCK_K)
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for begin in range(0, K, BLOCK_K):
        x = tl.load(a + rows[:, None] * K + begin + depth[None, :]).to(tl.float32)
        y = tl.load(b + columns[:, None] * K + begin + depth[None, :])
        total = tl.dot(x, y.T, total, input_precision=PRECISION)
    tl.store(c + rows[:, None] * BLOCK_N + columns[None, :], total)
