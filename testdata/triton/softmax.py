"""The softmax of each row, several rows a block; what several warps hold of a row meets in shared memory."""

import triton
import triton.language as tl


@triton.jit
def softmax(x, y, rows, columns, stride_x, stride_y, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, BLOCK)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    value = tl.load(x + row[:, None] * stride_x + column[None, :], mask=inside, other=-float("inf"))
    value -= tl.max(value, 1)[:, None]
    weight = tl.exp(value)
    result = weight / tl.sum(weight, 1)[:, None]
    tl.store(y + row[:, None] * stride_y + column[None, :], result, mask=inside)
