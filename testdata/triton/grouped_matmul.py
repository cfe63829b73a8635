"""C[g] = A[g] * B[g] of groups of different numbers of rows, which lie one after the other: a program for each tile of the longest
group, and those of a shorter one return at once."""

import triton
import triton.language as tl


@triton.jit
def grouped_matmul(a, b, c, offsets, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    group = tl.program_id(2)
    first, end = tl.load(offsets + group), tl.load(offsets + group + 1)
    row = first + tl.program_id(0) * BLOCK_M
    if row >= end:
        return
    rows = row + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    left = a + rows[:, None] * K + depth[None, :]
    right = b + group * N * K + depth[:, None] * N + columns[None, :]
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for _ in range(0, K, BLOCK_K):
        total = tl.dot(tl.load(left, rows[:, None] < end), tl.load(right), total)
        left += BLOCK_K
        right += BLOCK_K * N
    tl.store(c + rows[:, None] * N + columns[None, :], total.to(tl.float16), rows[:, None] < end)
