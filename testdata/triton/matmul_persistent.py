"""C = A * B^T through tensor descriptors, by as many programs as the device has multiprocessors: each takes one tile after another."""

import triton
import triton.language as tl


@triton.jit
def matmul_persistent(a, b, c, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, FLATTEN: tl.constexpr,
                      SPECIALIZE: tl.constexpr):
    left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BLOCK_M, BLOCK_K])
    right = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BLOCK_N, BLOCK_K])
    result = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BLOCK_M, BLOCK_N])
    down, across, steps = tl.cdiv(M, BLOCK_M), tl.cdiv(N, BLOCK_N), tl.cdiv(K, BLOCK_K)
    for number in tl.range(tl.program_id(0), down * across, tl.num_programs(0), flatten=FLATTEN, warp_specialize=SPECIALIZE):
        row, column = number % down * BLOCK_M, number // down * BLOCK_N
        total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        for step in range(steps):
            x = left.load([row, step * BLOCK_K])
            y = right.load([column, step * BLOCK_K])
            total = tl.dot(x, y.T, total)
        result.store([row, column], total.to(tl.float16))
