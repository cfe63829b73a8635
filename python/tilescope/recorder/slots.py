"""Which slots of a buffer an access touches, and which elements of each it touches for sure."""

import dataclasses
import functools
import typing

import numpy
from tvm import tirx

from tilescope.recorder.buffers import bits_of
from tilescope.recorder.element_threads import range_of
from tilescope.recorder.expressions import (Grid, NotKnown, call_name, constant, remainder, summands, those_chosen)


NOBODY = -1  # no thread
MAX_OWNED = 1 << 17  # elements of a buffer beyond which it is not asked which thread touches each
MAX_RANGES = 64  # of bytes that an access touches, beyond which they are not told


class Slot(typing.NamedTuple):
    """One of the versions of a buffer, as an access names it in a trace (core/trace_file/README.md)."""

    kind: str  # "constant": number `offset`; "loop": (iteration of the loop + offset) mod modulus; "dynamic": not known
    offset: int | None = None
    modulus: int | None = None
    loop: int | None = None  # its variable


@dataclasses.dataclass(eq=False)
class Part:
    """What is touched of one slot. Both arrays have an entry an element of the slot."""

    slot: Slot
    elements: numpy.ndarray | None = None  # whether it is touched for sure; None: not known
    owners: numpy.ndarray | None = None  # the thread that touches it, or NOBODY; None: not known, or several touch one
    range: tuple | None = None  # two: the first and the last of the threads that do; None: it is not sure that they do


class Key(typing.NamedTuple):
    """All that the parts of a touch depend on. TVM's objects are known by their address."""

    is_write: bool
    is_own: bool
    is_measured: bool
    is_exact: bool
    is_chosen: bool
    is_transposed: bool | None
    spans: tuple
    dtype: str
    buffer: int
    versions: int
    bytes: int
    chain: int  # of the variables around
    terms: tuple
    loops: tuple
    conditions_around: tuple
    conditions_inside: tuple
    run: tuple  # what is known besides, in one run of the program, and whether it is asked which threads touch what


def by_address(pairs):
    """Of [(expression, what is said of it)]."""
    return tuple([(hash(expr), said) for expr, said in pairs])


def elements_of(parts):
    """That parts of one slot touch for sure, as far as it is known; None: of no part."""
    known = {id(part.elements): part.elements for part in parts if part.elements is not None}
    return functools.reduce(numpy.logical_or, known.values()) if known else None


def byte_ranges(parts, touches):
    """[{begin, end}] of the bytes of a slot that its parts touch, all for sure; None: not known, or too many."""
    bits = {bits_of(touch.dtype) for touch in touches}
    if any(part.elements is None for part in parts) or len(bits) != 1:
        return None
    (bits,), elements = bits, numpy.concatenate(([False], elements_of(parts), [False]))
    edges = numpy.flatnonzero(elements[1:] != elements[:-1]) * bits
    if not 0 < edges.size <= 2 * MAX_RANGES or (edges % 8).any():
        return None
    return [{"begin": int(begin), "end": int(end)} for begin, end in (edges // 8).reshape(-1, 2)]


def owners_of(parts):
    """Of parts of one slot together; None: two threads touch one element, or it is not known."""
    return functools.reduce(merged, (part.owners for part in parts))


def merged(threads, other):
    if threads is None or other is None or threads.shape != other.shape:
        return None
    both = numpy.maximum(threads, other)
    is_one = (threads == both) | (threads == NOBODY)
    return both if (is_one & ((other == both) | (other == NOBODY))).all() else None


def of_slot(entries, number, size):
    return None if entries is None else entries[number * size:(number + 1) * size]


def value_of(expr, grid):
    """None: not known."""
    try:
        return grid.of(expr)
    except NotKnown:
        return None


class Slots:
    """As any block has them; or as one run does, which has `ranges` of blocks and loops and data that are all 0 (`zeroed`, as
    Grid takes them). `used`: the names of the data that decided something. Without `has_threads` nobody asks which threads
    touch what."""

    def __init__(self, around, known, has_threads, ranges=None, zeroed=None):
        self.around, self.known, self.has_threads = around, known, has_threads
        self.ranges, self.zeroed, self.used = ranges or {}, zeroed or {}, set()
        self.run = (has_threads, tuple(self.ranges.items()), frozenset(self.zeroed))

    def grid(self, ranges):
        return Grid(self.around.bound, {**ranges, **self.ranges}, self.zeroed)

    def of(self, touch):
        """The parts of its buffer that a touch may touch."""
        if touch.terms is None or touch.buffer.bytes is None:
            return [self.unknown(touch.buffer)]
        key = self.key_of(touch)
        if key not in self.known.slots:
            # One thread of a warp is elected: what it does, it does alone.
            is_elected = self.around.is_elected(touch.conditions)
            grid = self.grid(touch.loops if is_elected else {**self.around.threads, **touch.loops})
            self.known.slots[key] = self.work_out(touch, grid, is_elected), grid.used
        parts, used = self.known.slots[key]
        self.used |= used
        return parts

    def by_slot(self, touches):
        """{slot: parts} of touches of one buffer."""
        found = {}
        for touch in touches:
            for part in self.of(touch):
                found.setdefault(part.slot, []).append(part)
        return found

    @staticmethod
    def unknown(buffer):
        return Part(Slot("constant", 0) if buffer.versions == 1 else Slot("dynamic"))

    def key_of(self, touch):
        buffer = touch.buffer
        return Key(touch.is_write, touch.is_own, self.is_measured(touch), touch.is_exact, touch.is_chosen,
                   touch.is_transposed, touch.spans, touch.dtype, buffer.id, buffer.versions, buffer.bytes, self.around.chain, by_address(touch.terms),
                   tuple(touch.loops.items()), by_address(self.around.conditions), by_address(touch.conditions), self.run)

    def work_out(self, touch, grid, is_elected):
        buffer = touch.buffer
        size = buffer.bytes * 8 // bits_of(touch.dtype) // buffer.versions
        try:
            elements, slot = self.elements(touch, grid, size)
        except NotKnown:
            return [self.unknown(buffer)]
        chosen, is_sure = self.chosen(touch, grid)
        reached = those_chosen(elements, chosen)
        count = size * buffer.versions
        low, high = (int(reached.min()), int(reached.max())) if reached.size else (-1, -1)
        if low < 0 or high >= (size if slot else count):
            return [self.unknown(buffer)]
        touched = owners = ranges = None
        if self.is_measured(touch) and touch.is_exact and is_sure:
            touched = numpy.zeros(count, dtype=bool)
            touched[reached] = True
        has_threads = self.has_threads and (touch.is_own or touch.is_transposed is not None)
        if has_threads and not is_elected and count <= MAX_OWNED:
            owners, ranges = self.owners(touch, elements, chosen, grid, count)
        if not touch.is_exact or touch.is_chosen or not is_sure:
            ranges = None
        return [Part(slot or Slot("constant", n), of_slot(touched, n, size), of_slot(owners, n, size),
                     ranges and (of_slot(ranges[0], n, size), of_slot(ranges[1], n, size)))
                for n in range(low // size, high // size + 1)]

    def chosen(self, touch, grid):
        """(for which points of the grid a touch may happen, whether it is sure to happen for these)"""
        # What stands around the leaf holds where it runs, known or not; what stands in it must be known to hold.
        around, inside = self.where_known(self.around.conditions, grid), self.where(touch.conditions, grid)
        if inside is None:
            return around, False
        return numpy.logical_and(around, inside), self.are_uniform(self.around.conditions)

    def owners(self, touch, elements, chosen, grid, count):
        """(the thread that touches each element of the buffer, or NOBODY; None: not known, or several touch one),
        (the first, the last of those that touch it), or None."""
        try:
            number = self.thread(touch, grid)
        except NotKnown:
            return None, None
        elements, number, chosen = numpy.broadcast_arrays(elements, number, chosen)
        elements, number = elements[chosen], number[chosen]
        owners = numpy.full(count, NOBODY)
        owners[elements] = number
        if (owners[elements] == number).all():
            return owners, (owners, owners)
        return None, range_of(elements, number, count)

    def thread(self, touch, grid):
        """The number of the thread that touches each of the elements."""
        number = numpy.int64(0)
        for variable, (begin, extent) in self.around.threads.items():
            number = number * extent + grid.axis(variable, begin, extent)
        if touch.is_transposed is None:
            return number
        # Lane l names the place of row l mod 8 of its matrix. Of a matrix each lane has 32 bits: lanes 4 r to 4 r + 3 those of
        # row r, or of column r (PTX ISA, "ldmatrix"). A warp's lanes are known where threads have one axis.
        (count, _), = touch.spans
        axes = [extent for _, extent in self.around.threads.values() if extent != 1]
        if len(axes) > 1 or (touch.is_transposed and bits_of(touch.dtype) != 16):
            raise NotKnown
        row, column = number % 8, grid.axis(("span", 0, count), 0, count)
        lane = 4 * column + row // 2 if touch.is_transposed else 4 * row + column * bits_of(touch.dtype) // 32
        return number // 32 * 32 + lane

    @staticmethod
    def is_measured(touch):
        return touch.is_write or touch.queue is not None

    def elements(self, touch, grid, size):
        """The elements inside the slot, and the slot if a loop around chooses it."""
        elements, slot = numpy.int64(0), None
        for expr, factor in touch.terms:
            values = value_of(expr, grid)
            if values is not None:
                elements = elements + values * factor
                continue
            if type(expr) is tirx.Ramp and constant(expr.lanes) and constant(expr.stride) is not None:
                lanes = grid.axis(("lanes", constant(expr.lanes)), 0, constant(expr.lanes))
                elements, expr = elements + lanes * constant(expr.stride) * factor, expr.base
            for term, times in summands(expr, factor):
                values = value_of(term, grid)
                if values is not None:
                    elements = elements + values * times
                elif slot is None and times == size:
                    slot = self.loop_slot(term, touch.buffer.versions)
                else:
                    raise NotKnown
        for position, (count, step) in enumerate(touch.spans):
            if count > 1:
                elements = elements + grid.axis(("span", position, count), 0, count) * step
        return numpy.asarray(elements), slot

    def loop_slot(self, term, versions):
        """(k + c) mod V, where k counts the iterations of a loop around. Nobody writes the remainder where a loop is so short
        that each iteration has a version of its own."""
        try:
            value, modulus = remainder(term)
        except NotKnown:
            value, modulus = term, 0
        offset, loop = 0, None
        for part, factor in summands(value):
            if constant(part) is not None:
                offset += constant(part) * factor
            elif type(part) is tirx.Var and factor == 1 and loop is None and hash(part) in self.around.outer:
                loop = hash(part)
                if not self.around.outer[loop].is_known(modulus):
                    raise NotKnown
                offset += self.around.outer[loop].begin
            else:
                raise NotKnown
        if loop is None or offset < 0:
            raise NotKnown
        if modulus == 0:
            trips, modulus = self.around.outer[loop].trips, versions
            if trips is None or offset + trips > versions:
                raise NotKnown
        return Slot("loop", offset % modulus, modulus, loop)

    def may_not_happen(self, touch):
        """A condition inside of the leaf decides, and it is not known or never holds."""
        if not touch.conditions:
            return False
        chosen = self.where_inside(touch)
        return chosen is None or not chosen.any()

    def those_that_happen(self, touches):
        """Without those that conditions inside of the leaf are known to keep from it."""
        chosen = [self.where_inside(touch) if touch.conditions else None for touch in touches]
        return [touch for touch, where in zip(touches, chosen) if where is None or where.any()]

    def where_inside(self, touch):
        grid = self.grid({**self.around.threads, **touch.loops})
        chosen = self.where(touch.conditions, grid)
        self.used |= grid.used
        return chosen

    def are_apart(self, touches):
        """No two threads touch one element, whichever of the touches they do it by."""
        by_slot = self.by_slot(touches)
        # Of slots that the loop around chooses nobody knows which others are the same.
        is_one_kind = len(by_slot) == 1 or all(slot.kind == "constant" for slot in by_slot)
        return is_one_kind and all(owners_of(parts) is not None for parts in by_slot.values())

    def where_known(self, conditions, grid):
        """For which points those of the conditions hold that are known."""
        chosen = numpy.asarray(True)
        for condition in conditions:
            holds = self.where([condition], grid)
            chosen = chosen if holds is None else numpy.logical_and(chosen, holds)
        return chosen

    def are_uniform(self, conditions):
        """Those that are not known hold for all threads or for none: loops and blocks alone decide them."""
        grid = self.grid(self.around.threads)
        uniform = self.around.blocks.keys() | self.around.outer.keys()
        return all(self.where([condition], grid) is not None or self.known.variables(condition[0]) <= uniform
                   for condition in conditions)

    @staticmethod
    def where(conditions, grid):
        """For which points of the grid the conditions hold; None: not known."""
        chosen = numpy.asarray(True)
        for condition, holds in conditions:
            if "elect" in call_name(condition) and holds:
                continue
            try:
                value = numpy.asarray(grid.of(condition)).astype(bool)
            except NotKnown:
                return None
            chosen = numpy.logical_and(chosen, value if holds else numpy.logical_not(value))
        return chosen
