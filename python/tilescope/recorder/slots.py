"""Which slots of a buffer an access touches, and which elements of each it touches for sure."""

import numpy
from tvm import tirx

from tilescope.recorder.buffers import bits_of
from tilescope.recorder.expressions import (Grid, NotKnown, call_name, constant, remainder, summands, those_chosen)


NOBODY = -1  # no thread
MAX_OWNED = 1 << 17  # elements of a buffer beyond which it is not asked which thread touches each


def merged(threads, other):
    """Of two touches together; None: two threads touch one element, or it is not known."""
    if threads is None or other is None or threads.shape != other.shape:
        return None
    both = numpy.maximum(threads, other)
    is_one = (threads == both) | (threads == NOBODY)
    return both if (is_one & ((other == both) | (other == NOBODY))).all() else None


class Slots:
    def __init__(self, around, known):
        self.around, self.known = around, known

    def of(self, touch):
        """[(slot, the elements of it that are touched for sure, the thread that touches each or NOBODY)]; of elements and of
        threads None where they are not known, or an element is touched by several threads."""
        buffer = touch.buffer
        unknown = [(("constant", 0) if buffer.versions == 1 else ("dynamic",), None, None)]
        if touch.terms is None or buffer.bytes is None:
            return unknown
        conditions = (*self.around.conditions, None, *touch.conditions)
        key = (touch.is_write, touch.is_own, self.is_measured(touch), touch.is_exact, touch.spans, touch.dtype, buffer.id,
               buffer.versions, buffer.bytes, self.around.chain,
               tuple([(hash(expr), factor) for expr, factor in touch.terms]), tuple(touch.loops.items()),
               tuple([pair and (hash(pair[0]), pair[1]) for pair in conditions]))
        if key not in self.known.slots:
            self.known.slots[key] = self.work_out(touch, unknown)
        return self.known.slots[key]

    def work_out(self, touch, unknown):
        buffer = touch.buffer
        size = buffer.bytes * 8 // bits_of(touch.dtype) // buffer.versions
        # One thread of a warp is elected: what it does, it does alone.
        is_elected = self.around.is_elected(touch.conditions)
        grid = Grid(self.around.bound, touch.loops if is_elected else {**self.around.threads, **touch.loops})
        try:
            elements, slot = self.elements(touch, grid, size)
        except NotKnown:
            return unknown
        # What stands around the leaf holds where it runs, known or not; what stands in it must be known to hold.
        around, inside = self.where_known(self.around.conditions, grid), self.where(touch.conditions, grid)
        chosen = around if inside is None else numpy.logical_and(around, inside)
        is_sure = inside is not None and self.are_uniform(self.around.conditions)
        low, high, touched = self.extent(touch, elements, chosen, is_sure, size * buffer.versions)
        if low < 0 or high >= size * (1 if slot else buffer.versions):
            return unknown
        threads = None
        if touch.is_own and not is_elected and size * buffer.versions <= MAX_OWNED:
            threads = self.threads_of(elements, chosen, grid, size * buffer.versions)
        return [(slot or ("constant", n), *(None if part is None else part[n * size:(n + 1) * size] for part in (touched, threads)))
                for n in range(low // size, high // size + 1)]

    def extent(self, touch, elements, chosen, is_known, count):
        """(the least, the greatest, which of all are touched for sure or None); -1 where none is."""
        elements = those_chosen(elements, chosen)
        if elements.size == 0:
            return -1, -1, None
        touched = None
        if self.is_measured(touch) and touch.is_exact and is_known:
            touched = numpy.zeros(count, dtype=bool)
            touched[elements[(elements >= 0) & (elements < count)]] = True
        return int(elements.min()), int(elements.max()), touched

    def threads_of(self, elements, chosen, grid, count):
        number = numpy.int64(0)
        try:
            for variable, (begin, extent) in self.around.threads.items():
                number = number * extent + grid.axis(variable, begin, extent)
        except NotKnown:
            return None
        elements, number, chosen = numpy.broadcast_arrays(elements, number, chosen)
        elements, number = elements[chosen], number[chosen]
        threads = numpy.full(count, NOBODY)
        threads[elements] = number
        return threads if (threads[elements] == number).all() else None

    @staticmethod
    def is_measured(touch):
        return touch.is_write or touch.queue is not None

    def elements(self, touch, grid, size):
        """The elements inside the slot, and the slot if a loop around chooses it."""
        elements, slot = numpy.int64(0), None
        for expr, factor in touch.terms:
            try:
                elements = elements + grid.of(expr) * factor
            except NotKnown:
                if type(expr) is tirx.Ramp and constant(expr.lanes) and constant(expr.stride) is not None:
                    lanes = grid.axis(("lanes", constant(expr.lanes)), 0, constant(expr.lanes))
                    elements, expr = elements + lanes * constant(expr.stride) * factor, expr.base
                for term, times in summands(expr, factor):
                    try:
                        elements = elements + grid.of(term) * times
                    except NotKnown:
                        if slot is not None or times != size:
                            raise
                        slot = self.loop_slot(term)
        for position, (count, step) in enumerate(touch.spans):
            if count > 1:
                elements = elements + grid.axis(("span", position, count), 0, count) * step
        return numpy.asarray(elements), slot

    def loop_slot(self, term):
        """(k + c) mod V, where k counts the iterations of a loop around."""
        value, modulus = remainder(term)
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
        return ("loop", offset % modulus, modulus, loop)

    def may_not_happen(self, touch):
        """A condition inside of the leaf decides, and it is not known or never holds."""
        if not touch.conditions:
            return False
        chosen = self.where(touch.conditions, Grid(self.around.bound, {**self.around.threads, **touch.loops}))
        return chosen is None or not chosen.any()

    def are_apart(self, touches):
        """No two threads touch one element, whichever of the touches they do it by."""
        by_slot = {}
        for touch in touches:
            for slot, _, threads in self.of(touch):
                by_slot[slot] = merged(by_slot[slot], threads) if slot in by_slot else threads
        # Of slots that the loop around chooses nobody knows which others are the same.
        is_one_kind = len(by_slot) == 1 or all(slot[0] == "constant" for slot in by_slot)
        return is_one_kind and all(threads is not None for threads in by_slot.values())

    def where_known(self, conditions, grid):
        """For which points those of the conditions hold that are known."""
        chosen = numpy.asarray(True)
        for condition in conditions:
            holds = self.where([condition], grid)
            chosen = chosen if holds is None else numpy.logical_and(chosen, holds)
        return chosen

    def are_uniform(self, conditions):
        """Those that are not known hold for all threads or for none: loops and blocks alone decide them."""
        grid = Grid(self.around.bound, self.around.threads)
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
