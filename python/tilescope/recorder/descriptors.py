"""What wgmma reads of shared memory through a descriptor, in units of 16 bytes, which descriptors count in.

By the matrix descriptors of the PTX ISA ("Asynchronous Warpgroup Level Matrix Instructions"): rows of a swizzle's bytes,
eight of them an atom, and the steps from atom to atom.

    along k, swizzle of 128 bytes          rows of k, swizzle of 128 bytes
    row 0     |##......|                   k 0     |########| step |########|
    row 1     |##......|                   ...
    ...                                    k 7     |########|      |########|
    row 8     |##......|  stride behind    k 8     stride behind
"""

import dataclasses
import re

from tilescope.recorder.buffers import bits_of
from tilescope.recorder.expressions import constant, summands

UNIT = 16  # bytes
UNITS_DTYPE = "uint64x2"
SWIZZLES = {1: 128, 2: 64, 3: 32}  # bytes, by the layout that a descriptor names; 0: none
K_UNITS = 2  # of a row along k that one instruction reads, whatever the type
SHAPE = re.compile(r"m64n(\d+)k(\d+)")


@dataclasses.dataclass(eq=False)
class Descriptor:
    touch: object
    terms: list | None  # where it points: [(expression, factor)] in units; None: not known
    loops: tuple  # around where it is made
    layout: int | None
    leading: int | None  # the two steps, in units
    stride: int | None


def in_units(terms, bytes_):
    """Terms of so many bytes each."""
    if terms is None or any(factor * bytes_ % UNIT for _, factor in terms):
        return None
    return [(expr, factor * bytes_ // UNIT) for expr, factor in terms]


def elements_in_units(terms, dtype):
    """Terms that count elements; sums of their expressions are taken apart, since parts may be no whole units."""
    parts = None if terms is None else [part for expr, factor in terms for part in summands(expr, factor)]
    parts = parts and [(expr, factor) for expr, factor in parts if constant(expr) != 0]
    size = bits_of(dtype)
    return in_units(parts, size // 8) if size % 8 == 0 else None


def moves_one(name):
    return name.endswith("increase_descriptor_offset")


def makes_one(name):
    return "wgmma" in name and name.endswith("_descriptor")


def described(call, touch, loops):
    """initialize_wgmma_descriptor(descriptor, address, layout, leading, stride)"""
    layout, leading, stride = (constant(arg) for arg in call.args[2:5])
    return Descriptor(touch, elements_in_units(touch.terms, touch.dtype), tuple(loops), layout, leading, stride)


def moved(descriptor, amount, loops):
    """By bytes. One that was made outside of a loop that moves it counts on and on."""
    more = in_units(summands(amount), 1)
    known = descriptor.terms is not None and more is not None and tuple(loops) == descriptor.loops
    return dataclasses.replace(descriptor, terms=descriptor.terms + more if known else None)


def spans_of(descriptor, rows, is_along_k):
    """([(count, step)], whether they are all that is read) of one instruction; None: not known."""
    leading, stride, layout = descriptor.leading, descriptor.stride, descriptor.layout
    if None in (leading, stride, layout):
        return None
    width = SWIZZLES.get(layout, UNIT) // UNIT
    if is_along_k and layout == 0:
        return ((rows // 8, stride), (8, 1), (K_UNITS, leading)), True
    if is_along_k:
        return ((rows // 8, stride), (8, width), (K_UNITS, 1)), True
    across = rows // 8  # units of 16-bit elements, the only ones that are read so
    if layout == 0 or across % width:
        return None
    return ((across // width, leading), (2, stride), (8, width), (width, 1)), True


def operands(call):
    """[(the argument that is the descriptor, rows, whether they lie along k)] of ptx_wgmma_ss and ptx_wgmma_rs."""
    shape = SHAPE.fullmatch(getattr(call.args[0], "value", ""))
    if not shape:
        return []
    columns = int(shape[1])
    if call.op.name.endswith("ss"):
        return [(6, 64, bool(call.args[1])), (8, columns, bool(call.args[2]))]
    return [(7, columns, bool(call.args[1]))]


def reads(call, descriptors, queue):
    """The touches of one wgmma."""
    touches = []
    for at, rows, is_along_k in operands(call):
        descriptor = descriptors.get(hash(call.args[at]))
        if descriptor is None:
            continue
        spans = spans_of(descriptor, rows, is_along_k)
        known = spans is not None and descriptor.terms is not None
        terms = descriptor.terms + summands(call.args[at + 1]) if known else None
        touches.append(dataclasses.replace(
            descriptor.touch, terms=terms, spans=spans[0] if known else (), dtype=UNITS_DTYPE, is_exact=known, queue=queue))
    return touches
