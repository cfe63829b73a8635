"""A tile of attention's scores, masked, and how much each query and each key gets of them: a product without a loop, and sums that
several blocks add to."""

import triton
import triton.language as tl


@triton.jit
def scores(queries, keys, mask, result, of_queries, of_keys, QUERIES: tl.constexpr, KEYS: tl.constexpr, DIM: tl.constexpr):
    rows = tl.program_id(0) * QUERIES + tl.arange(0, QUERIES)
    columns, inner = tl.arange(0, KEYS), tl.arange(0, DIM)
    x = tl.load(queries + rows[:, None] * DIM + inner[None, :])
    y = tl.load(keys + columns[:, None] * DIM + inner[None, :])
    at = rows[:, None] * KEYS + columns[None, :]
    product = tl.where(tl.load(mask + at) > 0, tl.dot(x, y.T), 0)
    tl.store(result + at, product.to(tl.float16))
    tl.atomic_add(of_queries + rows, tl.sum(product, 1))
    tl.atomic_add(of_keys + columns, tl.sum(product, 0))
