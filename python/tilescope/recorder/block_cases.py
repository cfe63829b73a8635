"""What blocks do differently: lengths of loops and conditions that depend on which block it is, and on nothing else.

    for k in range(bx + 1):     blocks 0, 1, 2, 3: lengths 1, 2, 3, 4, so four cases
"""

import numpy

from tilescope.recorder.expressions import Grid, NotKnown

MOST_CASES = 64


class BlockCases:
    def __init__(self, around):
        self.grid = Grid(around.bound, around.blocks)
        self.varying = []  # (node, its number by block)

    def add_loop(self, node, extent):
        values = self.values(extent)
        if values is not None and values.min() >= 0:
            node |= {"minTrips": int(values.min()), "maxTrips": int(values.max())}
            self.varying.append((node, values))

    def add_condition(self, node, condition):
        values = self.values(condition)
        if values is not None:
            self.varying.append((node, values.astype(bool)))

    def begin(self, expr):
        """(begin, modulus) of what all blocks have, but for multiples of the modulus; 0: all have the same. (None, 0): none."""
        values = self.values(expr)
        if values is None:
            return None, 0
        begin = int(values.min())
        return begin, int(numpy.gcd.reduce((values - begin).ravel()))

    def range_of(self, condition, counter, value, extent):
        """[begin, end) of the counts from 0 of a loop in which a condition holds, for all blocks alike; None: no such range.
        `value`: of its variable, by `counter`."""
        variable = hash(counter)
        grid = Grid({**self.grid.bound, **value}, {**self.grid.ranges, variable: (0, extent)})
        try:
            counts = grid.axis(variable, 0, extent)
            counts, holds = numpy.broadcast_arrays(counts, numpy.asarray(grid.of(condition)).astype(bool))
        except NotKnown:
            return None
        holds = holds.reshape(-1, extent)
        where = numpy.flatnonzero(holds[0])
        is_range = where.size in (0, extent) or int(where[-1] - where[0]) + 1 == where.size
        if not is_range or (holds != holds[0]).any():
            return None
        return (int(where[0]), int(where[-1]) + 1) if where.size else (0, 0)

    def values(self, expr):
        try:
            return numpy.asarray(self.grid.of(expr))
        except NotKnown:
            return None

    def finish(self):
        """How many cases there are; each node says what it does in each. 0: none, or too many to tell."""
        if not self.varying:
            return 0
        arrays = numpy.broadcast_arrays(*(values.astype(numpy.int64) for _, values in self.varying))
        cases = numpy.unique(numpy.stack([values.ravel() for values in arrays]), axis=1)
        if cases.shape[1] > MOST_CASES:
            return 0
        for (node, _), numbers in zip(self.varying, cases):
            node["byCase"] = numbers.tolist()
        return cases.shape[1]
