"""Its first branch is none of the structured form: rows that are left out return early."""

import triton
import triton.language as tl


@triton.jit
def sums(x, y, skip, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    if tl.load(skip + row) > 0:
        return
    tl.store(y + row, tl.sum(tl.load(x + row * BLOCK + tl.arange(0, BLOCK)), 0))
