"""Which slots of a buffer an access touches, and which elements of each it writes for sure."""

import numpy
from tvm import tirx

from tilescope.recorder.buffers import bits_of
from tilescope.recorder.expressions import (Grid, NotKnown, call_name, constant, remainder, summands, those_chosen)


class Slots:
    def __init__(self, around, known):
        self.around, self.known = around, known

    def of(self, touch):
        """[(slot, the elements of it that are written for sure)]"""
        buffer = touch.buffer
        unknown = [(("constant", 0) if buffer.versions == 1 else ("dynamic",), None)]
        if touch.terms is None or buffer.bytes is None or (buffer.versions == 1 and not touch.is_write):
            return unknown
        conditions = (*self.around.conditions, None, *touch.conditions)
        key = (touch.is_write, touch.is_exact, touch.spans, touch.dtype, buffer.id, buffer.versions, buffer.bytes,
               self.around.chain, tuple([(hash(expr), factor) for expr, factor in touch.terms]), tuple(touch.loops.items()),
               tuple([pair and (hash(pair[0]), pair[1]) for pair in conditions]))
        if key not in self.known.slots:
            self.known.slots[key] = self.work_out(touch, unknown)
        return self.known.slots[key]

    def work_out(self, touch, unknown):
        buffer = touch.buffer
        size = buffer.bytes * 8 // bits_of(touch.dtype) // buffer.versions
        # One thread of a warp is elected: what it does, it does alone.
        grid = Grid(self.around.bound, touch.loops if self.around.is_elected(touch.conditions) else {**self.around.threads, **touch.loops})
        try:
            elements, slot = self.elements(touch, grid, size)
        except NotKnown:
            return unknown
        # What stands around the leaf holds where it runs, known or not; what stands in it must be known to hold.
        around, inside = self.where(self.around.conditions, grid), self.where(touch.conditions, grid)
        around = numpy.asarray(True) if around is None else around
        chosen = around if inside is None else numpy.logical_and(around, inside)
        elements = those_chosen(elements, chosen)
        if elements.size == 0:
            return unknown
        low, high = int(elements.min()), int(elements.max())
        if low < 0 or high >= size * (1 if slot else buffer.versions):
            return unknown
        written = None
        if touch.is_write and touch.is_exact and inside is not None:
            written = numpy.zeros(size * buffer.versions, dtype=bool)
            written[elements] = True
        return [(slot or ("constant", n), None if written is None else written[n * size:(n + 1) * size])
                for n in range(low // size, high // size + 1)]

    def elements(self, touch, grid, size):
        """The elements inside the slot, and the slot if a loop around chooses it."""
        elements, slot = numpy.int64(0), None
        for expr, factor in touch.terms:
            try:
                elements = elements + grid.of(expr) * factor
            except NotKnown:
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
                begin = self.around.outer[loop][0]
                if begin is None or begin < 0:
                    raise NotKnown
                offset += begin
            else:
                raise NotKnown
        if loop is None or offset < 0:
            raise NotKnown
        return ("loop", offset % modulus, modulus, loop)

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
