"""C = A * B^T through tensor descriptors: on sm_90 tiles are copied by TMA, and mbarriers say when they have arrived."""

import triton
import triton.language as tl


@triton.jit
def matmul_tma(a, b, c, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    rows = tl.cdiv(M, BLOCK_M)
    row, column = tl.program_id(0) % rows * BLOCK_M, tl.program_id(0) // rows * BLOCK_N
    left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BLOCK_M, BLOCK_K])
    right = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BLOCK_N, BLOCK_K])
    result = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BLOCK_M, BLOCK_N])
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for step in range(tl.cdiv(K, BLOCK_K)):
        x = left.load([row, step * BLOCK_K])
        y = right.load([column, step * BLOCK_K])
        total = tl.dot(x, y.T, total)
    result.store([row, column], total.to(tl.float16))
