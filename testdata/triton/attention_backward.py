"""Gradients of softmax(Q K^T) V: one kernel for K and V, which walks the rows, and one for Q, which walks the columns. `logsum` has
the logarithm of the sum of each row's exponentials in base 2, `delta` the sum of a row's products of O and its gradient."""

import triton
import triton.language as tl


@triton.jit
def tile(pointer, rows, DIM: tl.constexpr):
    return pointer + rows[:, None] * DIM + tl.arange(0, DIM)[None, :]


@triton.jit
def gradient_of_keys(q, k, v, out_grad, logsum, delta, k_grad, v_grad, scale, length, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                     DIM: tl.constexpr):
    head = tl.program_id(1) * length
    columns = head + tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    keys, values = tl.load(tile(k, columns, DIM)), tl.load(tile(v, columns, DIM))
    for_keys, for_values = tl.zeros((BLOCK_N, DIM), tl.float32), tl.zeros((BLOCK_N, DIM), tl.float32)
    for begin in range(0, length, BLOCK_M):
        rows = head + begin + tl.arange(0, BLOCK_M)
        queries, given = tl.load(tile(q, rows, DIM)), tl.load(tile(out_grad, rows, DIM))
        weights = tl.exp2(tl.dot(keys, queries.T) * scale - tl.load(logsum + rows)[None, :])
        for_values = tl.dot(weights.to(tl.float16), given, for_values)
        change = weights * (tl.dot(values, given.T) - tl.load(delta + rows)[None, :])
        for_keys = tl.dot(change.to(tl.float16), queries, for_keys)
    tl.store(tile(k_grad, columns, DIM), (for_keys * scale).to(tl.float16))
    tl.store(tile(v_grad, columns, DIM), for_values.to(tl.float16))


@triton.jit
def gradient_of_queries(q, k, v, out_grad, logsum, delta, q_grad, scale, length, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                        DIM: tl.constexpr):
    head = tl.program_id(1) * length
    rows = head + tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    queries, given = tl.load(tile(q, rows, DIM)), tl.load(tile(out_grad, rows, DIM))
    sums, products = tl.load(logsum + rows)[:, None], tl.load(delta + rows)[:, None]
    total = tl.zeros((BLOCK_M, DIM), tl.float32)
    for begin in range(0, length, BLOCK_N):
        columns = head + begin + tl.arange(0, BLOCK_N)
        keys, values = tl.load(tile(k, columns, DIM)), tl.load(tile(v, columns, DIM))
        weights = tl.exp2(tl.dot(queries, keys.T) * scale - sums)
        change = weights * (tl.dot(given, values.T) - products)
        total = tl.dot(change.to(tl.float16), keys, total)
    tl.store(tile(q_grad, rows, DIM), (total * scale).to(tl.float16))
