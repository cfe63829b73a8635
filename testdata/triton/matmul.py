"""C = A * B with tiles of each operand that several iterations hold at once; blocks take tiles of C in groups of rows."""

import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, M, N, K, stride_am, stride_bk, stride_cm,
           BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr):
    block = tl.program_id(0)
    rows, columns = tl.cdiv(M, BLOCK_M), tl.cdiv(N, BLOCK_N)
    group = block // (GROUP * columns)
    height = min(rows - group * GROUP, GROUP)
    in_group = block % (GROUP * columns)
    row = group * GROUP + in_group % height
    column = in_group // height

    m = (row * BLOCK_M + tl.arange(0, BLOCK_M)) % M
    n = (column * BLOCK_N + tl.arange(0, BLOCK_N)) % N
    k = tl.arange(0, BLOCK_K)
    a_tile = a + m[:, None] * stride_am + k[None, :]
    b_tile = b + k[:, None] * stride_bk + n[None, :]
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for step in range(tl.cdiv(K, BLOCK_K)):
        left = K - step * BLOCK_K
        x = tl.load(a_tile, mask=k[None, :] < left, other=0.0)
        y = tl.load(b_tile, mask=k[:, None] < left, other=0.0)
        total = tl.dot(x, y, total)
        a_tile += BLOCK_K
        b_tile += BLOCK_K * stride_bk
    m = row * BLOCK_M + tl.arange(0, BLOCK_M)
    n = column * BLOCK_N + tl.arange(0, BLOCK_N)
    inside = (m[:, None] < M) & (n[None, :] < N)
    tl.store(c + m[:, None] * stride_cm + n[None, :], total.to(c.dtype.element_ty), mask=inside)
