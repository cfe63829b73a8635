"""Layer norm, backward: of its input a block a row, of its weights a block some columns of all rows."""

import triton
import triton.language as tl


@triton.jit
def input_gradient(dx, dy, x, w, mean, inverse, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = column < columns
    at = row * stride + column
    scale = tl.load(inverse + row)
    normal = (tl.load(x + at, mask=inside, other=0.0).to(tl.float32) - tl.load(mean + row)) * scale
    part = tl.load(w + column, mask=inside, other=0.0).to(tl.float32) * tl.load(dy + at, mask=inside, other=0.0).to(tl.float32)
    normal = tl.where(inside, normal, 0.0)
    along = tl.sum(normal * part, 0) / columns
    level = tl.sum(part, 0) / columns
    tl.store(dx + at, (part - normal * along - level) * scale, mask=inside)


@triton.jit
def weight_gradient(dw, db, dy, x, mean, inverse, stride, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    column = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((ROWS, BLOCK), tl.float32)
    shift = tl.zeros((ROWS, BLOCK), tl.float32)
    for first in range(0, rows, ROWS):
        row = first + tl.arange(0, ROWS)
        inside = (row[:, None] < rows) & (column[None, :] < columns)
        at = row[:, None] * stride + column[None, :]
        slope = tl.load(dy + at, mask=inside, other=0.0).to(tl.float32)
        value = tl.load(x + at, mask=inside, other=0.0).to(tl.float32)
        scale = tl.load(inverse + row, mask=row < rows, other=0.0)
        middle = tl.load(mean + row, mask=row < rows, other=0.0)
        total += slope * (value - middle[:, None]) * scale[:, None]
        shift += slope
    tl.store(dw + column, tl.sum(total, 0), mask=column < columns)
    tl.store(db + column, tl.sum(shift, 0), mask=column < columns)
