"""Branches that are none of the structured form: rows that are left out return early, and each end does something of its own.
And a loop that runs until a sum is small."""

import triton
import triton.language as tl


@triton.jit
def sums(x, y, skip, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    if tl.load(skip + row) > 0:
        return
    tl.store(y + row, tl.sum(tl.load(x + row * BLOCK + tl.arange(0, BLOCK)), 0))


@triton.jit
def either(x, y, least, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    values = tl.load(x + row * BLOCK + tl.arange(0, BLOCK))
    if tl.load(least + row) > 0:
        tl.store(y + row, tl.min(values, 0))
        return
    tl.store(y + row, tl.max(values, 0) - tl.sum(values, 0))


@triton.jit
def halved(x, y, BLOCK: tl.constexpr):
    values = tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    total = tl.sum(values, 0)
    while total > 1.0:
        values = values * 0.5
        total = tl.sum(values, 0)
    tl.store(y + tl.program_id(0), tl.max(values, 0))


@triton.jit
def handed_on(flags, x, y, BLOCK: tl.constexpr):
    for block in range(tl.program_id(0)):
        while tl.atomic_cas(flags + block, 1, 1) != 1:
            pass
        at = block * BLOCK + tl.arange(0, BLOCK)
        tl.atomic_add(y + block, tl.sum(tl.load(x + at), 0))
