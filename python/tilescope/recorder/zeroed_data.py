"""One block of one run: the first, of a launch whose data are all 0. It tells what a program does where data decide lengths
of loops and conditions: a fault of this run is one of the program, while its being right says nothing of others.

    for k in range((lengths[bx] + 127) >> 7):     `lengths` all 0, so no iteration
        if mask[k] != 0:                          `mask` all 0, so it does not hold
"""

import numpy
from tilelang import tvm
from tvm import tirx

from tilescope.recorder.expressions import Grid, NotKnown, call_name
from tilescope.recorder.touches import POINTERS


class ZeroedData:
    def __init__(self, body, around):
        self.body, self.around = body, around
        self.nodes = []  # (node, the expression that decides)

    def add(self, node, expr):
        self.nodes.append((node, expr))

    def finish(self):
        """The names of the buffers that decide something; each node says what it does then. Empty: none decides anything."""
        first = {block: (0, 1) for block in self.around.blocks}
        if all(number_of(Grid(self.around.bound, first), expr) is not None for _, expr in self.nodes):
            return []
        grid = Grid(self.around.bound, first, self.buffers())
        numbers = [(node, number_of(grid, expr)) for node, expr in self.nodes]
        if not grid.used:
            return []
        for node, number in numbers:
            if number is not None:
                node["onZeros"] = max(number, 0) if node["kind"] == "loop" else int(number != 0)
        return sorted(grid.used)

    def buffers(self):
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
