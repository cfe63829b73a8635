"""Layouts of shared memory as the texts of core/ir/layout.h.

    #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>                swizzle(128) of float16
    #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>    swizzle(128)

Both are linear over bits on shapes of powers of two, as ours are: if elements whose coordinates are powers of two lie in the
same places, all do. Of a layout that is none of ours Triton's own words are recorded."""

import re

SPANS = (128, 64, 32)
CHUNK_BYTES = LEAST_ALIGNMENT = 16
ROWS_OF_SWIZZLE = 8
SWIZZLED = re.compile(r"#ttg\.swizzled_shared<\{vec = (\d+), perPhase = (\d+), maxPhase = (\d+), order = \[([\d, ]+)\]\}>")
NVMMA = re.compile(r"#ttg\.nvmma_shared<\{swizzlingByteWidth = (\d+), transposed = false, elementBitWidth = (\d+)\}>")


def alignment_of(layout: str) -> int:
    """In bytes, that Triton gives a buffer of it: the swizzle goes by the address."""
    found = re.search(r"swizzlingByteWidth = (\d+)", layout)
    return max(LEAST_ALIGNMENT, ROWS_OF_SWIZZLE * int(found.group(1)) if found else 0)


def shared_layout(layout: str, shape: tuple, bits: int) -> str:
    other = f"other({layout.removeprefix('#ttg.')})"
    place = place_in(layout, shape, bits)
    if place is None or bits < 8 or any(extent & (extent - 1) for extent in shape):
        return other
    elements = [tuple(1 << bit if at == axis else 0 for at in range(len(shape)))
                for axis, extent in enumerate(shape) for bit in range(extent.bit_length() - 1)]
    if all(place(element) == dense(element, shape) * bits // 8 for element in elements):
        return "row_major"
    spans = [span for span in SPANS if len(shape) > 1 and shape[-1] * bits // 8 % span == 0]
    same = (span for span in spans
            if all(place(element) == swizzled(element, shape, bits, span) for element in elements))
    return next((f"swizzle({span})" for span in same), other)


def place_in(layout: str, shape: tuple, bits: int):
    """The byte at which an element lies, as a function of its coordinates; None: of a layout that is not known."""
    if found := SWIZZLED.fullmatch(layout):
        vec, per_phase, max_phase = (int(number) for number in found.groups()[:3])
        order = [int(axis) for axis in found.group(4).split(",")]
        if order != list(range(len(shape)))[::-1]:
            return None
        return lambda element: phased(element, shape, vec, per_phase, max_phase) * bits // 8
    found = NVMMA.fullmatch(layout)
    if found and len(shape) == 2 and int(found.group(2)) == bits and int(found.group(1)) in SPANS \
            and shape[-1] * bits // 8 % int(found.group(1)) == 0 and shape[0] % ROWS_OF_SWIZZLE == 0:
        return lambda element: swizzled(element, shape, bits, int(found.group(1)))
    return None


def phased(element, shape, vec: int, per_phase: int, max_phase: int) -> int:
    """The element's number in memory: of each row, groups of `vec` elements change places by the row."""
    row, column = (element[-2] if len(element) > 1 else 0), element[-1]
    group = (column // vec) ^ (row // per_phase % max_phase)
    return dense((*element[:-1], group * vec + column % vec), shape)


def dense(element, shape) -> int:
    place = 0
    for coordinate, extent in zip(element, shape):
        place = place * extent + coordinate
    return place


def swizzled(element, shape, bits: int, span: int) -> int:
    """The formula of core/ir/layout.h, in bytes."""
    *outer, row, column = element
    *extents, rows, columns = shape
    byte, chunks = column * bits // 8, span // CHUNK_BYTES
    chunk = (byte % span // CHUNK_BYTES) ^ (row // (8 // chunks) % chunks)
    tile = (byte // span * rows + row) * span + chunk * CHUNK_BYTES + byte % CHUNK_BYTES
    return dense(outer, extents) * rows * columns * bits // 8 + tile
