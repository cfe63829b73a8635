"""Attention, forward: a block takes some queries of one head through all keys and values, and keeps the softmax as it goes."""

import triton
import triton.language as tl


@triton.jit
def step(queries, k, v, total, highest, weight, scale, first, length,
         stride_k, stride_v, BLOCK_N: tl.constexpr, DIM: tl.constexpr):
    key, dim = first + tl.arange(0, BLOCK_N), tl.arange(0, DIM)
    inside = key < length
    keys = tl.load(k + dim[:, None] + key[None, :] * stride_k, mask=inside[None, :], other=0.0)
    score = tl.where(inside[None, :], tl.dot(queries, keys) * scale, -float("inf"))
    new = tl.maximum(highest, tl.max(score, 1))
    share = tl.exp2(score - new[:, None])
    fade = tl.exp2(highest - new)
    values = tl.load(v + key[:, None] * stride_v + dim[None, :], mask=inside[:, None], other=0.0)
    total = tl.dot(share.to(values.dtype), values, total * fade[:, None])
    return total, new, weight * fade + tl.sum(share, 1)


@triton.jit
def attention(q, k, v, o, scale, length, stride_head, stride_q, stride_k, stride_v, stride_o,
              BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, DIM: tl.constexpr):
    head = tl.program_id(1) * stride_head
    row, dim = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M), tl.arange(0, DIM)
    queries = tl.load(q + head + row[:, None] * stride_q + dim[None, :], mask=row[:, None] < length, other=0.0)
    highest = tl.full([BLOCK_M], -float("inf"), tl.float32)
    weight = tl.zeros([BLOCK_M], tl.float32)
    total = tl.zeros([BLOCK_M, DIM], tl.float32)
    for first in range(0, length, BLOCK_N):
        total, highest, weight = step(queries, k + head, v + head, total, highest, weight, scale, first, length,
                                      stride_k, stride_v, BLOCK_N, DIM)
    result = total / weight[:, None]
    tl.store(o + head + row[:, None] * stride_o + dim[None, :], result.to(o.dtype.element_ty), mask=row[:, None] < length)
