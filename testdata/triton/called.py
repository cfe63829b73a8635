"""A row divided by its norm, twice, by a function that is not inlined: its shared memory is that of the call."""

import triton
import triton.language as tl


@triton.jit(noinline=True)
def norm(x, BLOCK: tl.constexpr):
    value = tl.load(x + tl.arange(0, BLOCK))
    return tl.sqrt(tl.sum(value * value, 0))


@triton.jit
def norms(x, y, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    first = norm(x, BLOCK)
    most = tl.max(tl.load(x + column) / first, 0)
    second = norm(x + BLOCK, BLOCK)
    tl.store(y + column, tl.load(x + BLOCK + column) / second * most)
