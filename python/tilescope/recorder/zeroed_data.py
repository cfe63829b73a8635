"""One block of one run: the first, of a launch whose data are all 0. It tells what a program does where data decide lengths
of loops and conditions: a fault of this run is one of the program, while its being right says nothing of others.

    for k in range((lengths[bx] + 127) >> 7):     `lengths` all 0, so no iteration
        if mask[k] != 0:                          `mask` all 0, so it does not hold
    for k in range(bx + 1):                       the first block, so one iteration
        sums[k] = total                           element 0 of `sums`
"""

import functools

import numpy
from tilelang import tvm
from tvm import tirx

from tilescope.recorder.expressions import Grid, NotKnown, call_name
from tilescope.recorder.slots import Slots
from tilescope.recorder.touches import POINTERS


MOST_ITERATIONS = 16  # of which each is looked at by itself


class ZeroedData:
    def __init__(self, body, around, known):
        self.body, self.around, self.known = body, around, known
        self.nodes = []  # (node, the expression that decides)
        self.has_leaves, self.used = False, set()  # whether leaves say what they do, and the data that decide it
        self.inexact = set()  # buffers of which a write may define more than is known then

    def add(self, node, expr):
        self.nodes.append((node, expr))

    def add_leaf(self, used):
        """One says what it does."""
        self.has_leaves = True
        self.used |= used

    def iterations(self, enclosing):
        """What that run knows of slots in these loops [(statement, ...)], in any of their iterations; and in each, if there are
        few. No iteration: it does not come here."""
        each = [self.first()]
        for loop, *_ in enclosing:
            trips = number_of(Grid(self.around.bound, self.first(), self.data), loop.extent)
            begins = [number_of(Grid(self.around.bound, ranges, self.data), loop.min) for ranges in each]
            if trips is not None and trips * len(each) <= MOST_ITERATIONS and None not in begins:
                each = [{**ranges, hash(loop.loop_var): (begin + k, 1)}
                        for ranges, begin in zip(each, begins) for k in range(trips)]
        if len(each) > 1:
            yield [self.slots(self.first())]
        yield [self.slots(ranges) for ranges in each]

    def slots(self, ranges):
        return Slots(self.around, self.known, True, ranges, self.data)

    def first(self):
        return {block: (0, 1) for block in self.around.blocks}

    def finish(self):
        """The names of the buffers that decide something; each node says what it does then. Empty: none decides anything."""
        first = self.first()
        if not self.has_leaves and all(number_of(Grid(self.around.bound, first), expr) is not None for _, expr in self.nodes):
            return []
        grid = Grid(self.around.bound, first, self.data)
        numbers = [(node, number_of(grid, expr)) for node, expr in self.nodes]
        if not grid.used and not self.has_leaves:
            return []
        for node, number in numbers:
            if number is not None:
                node["onZeros"] = max(number, 0) if node["kind"] == "loop" else int(number != 0)
        return sorted(grid.used | self.used)

    @functools.cached_property
    def data(self):
        """{variable: names of the data in it} of buffers whose elements are all 0: what the function is given and only reads,
        and its own that it fills with nothing else."""
        loaded, stores, exposed = {}, {}, set()

        def look(part):
            kind = type(part)
            if kind is tirx.BufferLoad:
                loaded[hash(part.buffer.data)] = part.buffer
            elif kind is tirx.BufferStore:
                stores.setdefault(hash(part.buffer.data), []).append(part.value)
            elif kind is tirx.Var:
                exposed.add(hash(part))
            elif call_name(part) in POINTERS:
                exposed.update(hash(arg.buffer.data) for arg in part.args[:] if type(arg) is tirx.BufferLoad)

        tvm.tirx.stmt_functor.post_order_visit(self.body, look)
        data = {variable: {buffer.name} for variable, buffer in loaded.items()
                if variable not in exposed and variable not in stores and buffer.scope() == "global"}
        own = {}
        for variable in loaded.keys() & stores.keys() - exposed:
            grid = Grid({}, {}, data)
            if all(number_of(grid, value) == 0 for value in stores[variable]):
                own[variable] = grid.used
        return data | own


def number_of(grid, expr):
    """None: it depends on more."""
    try:
        values = numpy.asarray(grid.of(expr))
    except NotKnown:
        return None
    return int(values.item()) if values.size == 1 else None
