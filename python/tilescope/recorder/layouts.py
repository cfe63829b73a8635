"""Where the elements of buffers lie: TileLang's layouts as the texts of core/ir/layout.h.

A text of ours is recorded only if it gives every element the place that TileLang's layout gives it. Of other layouts what
they say themselves is recorded, for display: `other([_i, _j] -> [_j, _i])`."""

import math

import numpy
from tilelang.layout import Fragment

from tilescope.recorder.expressions import Grid, NotKnown, constants

CHUNK_BYTES = 16
MAX_TEXT = 400  # characters of a layout that is none of ours


class Layouts:
    """Texts of layouts; each is worked out once. They are known by their address: they must live as long as this."""

    def __init__(self):
        self.texts = {}

    def text(self, layout, bits):
        """`bits` of an element."""
        key = (hash(layout), bits)
        if key not in self.texts:
            self.texts[key] = our_text(layout, bits) or f"other({saying(layout)})"
        return self.texts[key]


def saying(layout):
    """The layout in its own expressions, cut where it is long."""
    text = f"{listed(layout.get_forward_vars())} -> {listed(layout.get_forward_index())}"
    if isinstance(layout, Fragment):
        text += f" thread {layout.forward_thread}{threads_from(layout)}"
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + " ..."


def listed(exprs):
    return f"[{', '.join(map(str, exprs))}]"


def threads_from(fragment):
    """Threads are counted from the first of those that hold it: those of a role are not the first of the block."""
    threads = fragment.thread_range
    return "" if threads is None or constants([threads.min]) == [0] else f" from thread {threads.min}"


def our_text(layout, bits):
    """"" if none of ours is the same."""
    try:
        if isinstance(layout, Fragment):
            return fragment_text(*fragment_places(layout)) + threads_from(layout)
        return address_text(places(layout, layout.get_linearized_forward_index(), ()), bits)
    except NotKnown:
        return ""


def places(layout, expr, copies):
    """The values of an expression for all elements, in the shape of the buffer; `copies`: extents of further axes."""
    shape, variables = constants(layout.get_input_shape()), list(layout.get_forward_vars())
    if shape is None:
        raise NotKnown
    # The variable of the copies comes first.
    order = variables[len(variables) - len(shape):] + variables[:len(copies)]
    extents = [*shape, *copies]
    grid = Grid({}, {hash(variable): (0, extent) for variable, extent in zip(order, extents)})
    for variable in order[::-1]:
        grid.of(variable)  # the axis that comes last changes fastest
    return numpy.broadcast_to(grid.of(expr), extents)


def fragment_places(fragment):
    """(threads, registers), with an axis for the copies."""
    copies = constants([fragment.replicate_size])
    if copies is None:
        raise NotKnown
    is_copied = len(fragment.get_forward_vars()) > len(fragment.get_input_shape())
    if not is_copied and copies != [1]:
        raise NotKnown
    axes = tuple(copies if is_copied else ())
    threads = places(fragment, fragment.forward_thread, axes)
    registers = places(fragment, fragment.get_linearized_forward_index(), axes)
    return (threads, registers) if is_copied else (threads[..., None], registers[..., None])


# ---- Addresses


def address_text(index, bits):
    """Of the places of all elements in memory, in elements."""
    elements = numpy.arange(index.size).reshape(index.shape)
    if numpy.array_equal(index, elements):
        return "row_major"
    if index.ndim < 2:
        return ""
    rows, columns = index.shape[-2:]
    first = index.reshape(-1, columns)
    pad = int(first[1, 0] - first[0, 0]) - columns if len(first) > 1 else 0
    if pad > 0 and numpy.array_equal(index, elements + elements // columns * pad):
        return f"padded({pad})"
    for span in (128, 64, 32):
        swizzled = swizzled_bytes(index.shape, bits, span)
        if swizzled is not None and numpy.array_equal(index * bits // 8, swizzled):
            return f"swizzle({span})"
    return ""


def swizzled_bytes(shape, bits, span):
    """The formula of core/ir/layout.h, in bytes; None: rows are no panels of `span` bytes."""
    *outer, rows, columns = shape
    row_bytes, tiles = columns * bits // 8, math.prod(outer)
    if bits < 8 or row_bytes % span:
        return None
    byte = numpy.arange(columns) * (bits // 8)
    row = numpy.arange(rows)[:, None]
    chunks = span // CHUNK_BYTES
    chunk = (byte % span // CHUNK_BYTES) ^ (row // (8 // chunks) % chunks)
    tile = (byte // span * rows + row) * span + chunk * CHUNK_BYTES + byte % CHUNK_BYTES
    return (numpy.arange(tiles)[:, None, None] * rows * row_bytes + tile).reshape(shape)


# ---- Fragments


def fragment_text(threads, registers):
    """Their last axis has the copies."""
    at = numpy.stack([threads, registers], axis=-1)
    *dims, copies = [digits_of(line(at, axis)) for axis in range(threads.ndim)]
    if any(kind == "r" for _, kind, _ in copies):
        raise NotKnown
    total = sum((values(digits, extent).reshape((extent,) + (1,) * (threads.ndim - axis - 1) + (2,))
                 for axis, (digits, extent) in enumerate(zip([*dims, copies], threads.shape))), numpy.int64(0))
    if not numpy.array_equal(numpy.broadcast_to(total, at.shape), at):
        raise NotKnown
    text = " | ".join(map(digits_text, dims)) + (f" ; {digits_text(copies)}" if copies else "")
    return f"fragment({text})"


def line(at, axis):
    """Along one axis, the others at 0."""
    return at[tuple(slice(None) if d == axis else 0 for d in range(at.ndim - 1))]


def digits_of(steps):
    """[(extent, "t" or "r", stride)], outermost first, of the (thread, register) of each coordinate."""
    digits = []
    while len(steps) > 1:
        step = steps[1]
        if step.min() < 0 or numpy.count_nonzero(step) != 1:
            raise NotKnown
        is_even = (steps == numpy.arange(len(steps))[:, None] * step).all(axis=1)
        run = len(steps) if is_even.all() else int(is_even.argmin())
        digits.insert(0, (run, "t" if step[0] else "r", int(step.sum())))
        steps = steps[::run]
    return digits


def values(digits, extent):
    """[(thread, register)] of the coordinates below the extent."""
    rest, result = numpy.arange(extent), numpy.zeros((extent, 2), dtype=numpy.int64)
    for count, kind, stride in reversed(digits):
        result[:, 0 if kind == "t" else 1] += rest % count * stride
        rest = rest // count
    return result


def digits_text(digits):
    return " ".join(f"{extent}@{kind}{stride}" for extent, kind, stride in digits)
