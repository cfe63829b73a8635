"""C = A * B of numbers of 8 bits, of which each 32 along the depth share a scale of 8 bits (an exponent)."""

import triton
import triton.language as tl


@triton.jit
def matmul_scaled(a, a_scales, b, b_scales, c, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    depth, scales = tl.arange(0, BLOCK_K), tl.arange(0, BLOCK_K // 32)
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for begin in range(0, K, BLOCK_K):
        x = tl.load(a + rows[:, None] * K + begin + depth[None, :])
        y = tl.load(b + (begin + depth)[:, None] * N + columns[None, :])
        of_x = tl.load(a_scales + rows[:, None] * (K // 32) + begin // 32 + scales[None, :])
        of_y = tl.load(b_scales + columns[:, None] * (K // 32) + begin // 32 + scales[None, :])
        total = tl.dot_scaled(x, of_x, "e5m2", y, of_y, "e5m2", total)
    tl.store(c + rows[:, None] * N + columns[None, :], total)
