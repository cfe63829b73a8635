"""Layouts that a kernel pins, as our text form of them (core/ir/layout.h).

A swizzle is one of those that TileLang makes for the same buffer. The memory order of a global tensor is found from its
index expressions: each is a sum of parts of one coordinate; the parts of a coordinate, tabulated, are read as digits,
innermost first (0 4 8 ... 28 64 68 ... is 8@4, then 2@64).
"""

import math

from tilelang import layout as tilelang_layout
from tilelang import tvm
from tvm import tirx

from .errors import NoCounterpart
from .expressions import constant
from .text import quoted
from tilelang.layout import Fragment
from tilescope.recorder.expressions import Grid, NotKnown, summands
from tilescope.recorder.layouts import our_text

# By the bytes of a row of the swizzle.
SWIZZLES = {128: tilelang_layout.make_full_bank_swizzled_layout, 64: tilelang_layout.make_half_bank_swizzled_layout,
            32: tilelang_layout.make_quarter_bank_swizzled_layout}
LONGEST_TABLE = 1 << 22


def layout_text(layout, buffer) -> str:
    """"" for a layout of a tile that our IR cannot say."""
    if buffer.scope() == "global":
        text = order_text(layout)
        if not text:
            raise NoCounterpart(f"this layout on a global tensor ('{buffer.name}')")
        return text
    if isinstance(layout, Fragment):
        return our_text(layout, 0)
    if buffer.scope() not in ("shared", "shared.dyn"):
        return ""
    for span, make in SWIZZLES.items():
        if is_made_by(make, layout, buffer):
            return f"swizzle({span})"
    bits = tvm.DataType(str(buffer.dtype)).bits
    return our_text(layout, bits) or (order_text(layout) if bits >= 8 else "")


def order_text(layout) -> str:
    """"" for what is no order of digits of the coordinates."""
    digits = digits_of_order(layout)
    dims = [" ".join(f"{extent}@{stride}" for extent, stride in dim) for dim in digits or []]
    return f"permuted({' | '.join(dims)})" if digits is not None else ""


def loop_words(layout) -> list[str]:
    """Of a loop whose iterations the kernel spreads over threads."""
    if layout is None:
        return []
    text = our_text(layout, 0)
    if not text:
        raise NoCounterpart("this layout of a loop")
    return [f"layout={quoted(text)}"]


def is_made_by(make, layout, buffer) -> bool:
    try:
        return tvm.ir.structural_equal(make(buffer), layout, map_free_vars=True)
    except Exception:
        return False  # TileLang makes none for this buffer


def digits_of_order(layout):
    """By coordinate [(extent, stride), ...], outermost first, where they give every element one place; or None."""
    variables, shape = layout.get_forward_vars()[:], [constant(extent) for extent in layout.get_input_shape()]
    if None in shape or max(shape, default=0) > LONGEST_TABLE:
        return None
    places = [[0] * extent for extent in shape]
    stride = 1
    for result in reversed(layout.index[:]):
        tables = tables_of(result, variables, shape)
        if tables is None:
            return None
        for place, table in zip(places, tables):
            for coordinate, value in enumerate(table):
                place[coordinate] += stride * value
        stride *= 1 + sum(map(max, tables))
    digits = [digits_of(table) for table in places]
    return digits if None not in digits and is_permutation(digits, shape) else None


def tables_of(result, variables, shape):
    """What each coordinate adds to one result; None where a part of the sum has several coordinates."""
    tables = [[0] * extent for extent in shape]
    by_variable = {hash(getattr(var, "var", var)): number for number, var in enumerate(variables)}
    for part, factor in summands(result):
        used = {by_variable.get(hash(var)) for var in tirx.analysis.undefined_vars(part)}
        if not used and constant(part) == 0:
            continue
        if len(used) != 1 or None in used:
            return None
        number = used.pop()
        ranges = {key: (0, shape[number]) for key, at in by_variable.items() if at == number}
        try:
            values = Grid({}, ranges).of(part).ravel().tolist()
        except NotKnown:
            return None
        tables[number] = [before + factor * value for before, value in zip(tables[number], values)]
    return tables


def digits_of(table):
    """Those whose values add up to the table, outermost first; None if there are none."""
    digits = []
    while len(table) > 1:
        stride, extent = table[1] - table[0], 1
        while extent < len(table) and table[extent] == extent * stride:
            extent += 1
        if table[0] != 0 or stride <= 0 or extent < 2 or len(table) % extent:
            return None
        outer = table[::extent]
        if any(value != outer[i // extent] + i % extent * stride for i, value in enumerate(table)):
            return None
        digits.insert(0, (extent, stride))
        table = outer
    return digits


def is_permutation(digits, shape) -> bool:
    expected = 1
    for extent, stride in sorted((digit for dim in digits for digit in dim), key=lambda digit: digit[1]):
        if stride != expected:
            return False
        expected *= extent
    return expected == math.prod(shape)
