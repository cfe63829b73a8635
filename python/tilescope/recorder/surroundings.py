"""What stands around the statement that is visited: threads, loops, conditions, names, and who of the block does it."""

import dataclasses
import functools
import math

import numpy
from tvm import tirx
from tvm.tirx.analysis import undefined_vars

from tilescope.recorder.expressions import Grid, NotKnown, call_name, constant


@dataclasses.dataclass(eq=False)
class Loop:
    """`trips`: the most in any block; None: not known. `begin`: of the variable, in all blocks but for multiples of `modulus`
    (0: in all); None: not known."""

    node: int
    trips: int | None
    begin: int | None
    modulus: int

    def is_known(self, modulus):
        """Whether the begin is, modulo this; 0: itself."""
        if self.begin is None or self.begin < 0:
            return False
        return self.modulus == 0 or (modulus != 0 and self.modulus % modulus == 0)


class Surroundings:
    def __init__(self, chains):
        # Which threads of a lane do what is visited: 1: one, the same always; None: some; 0: all.
        self.doers, self.lane = 0, 0
        self.threads, self.blocks, self.bound = {}, {}, {}
        self.chain = 0  # stands for the variables so far: threads, loops and what is bound
        self.chains = chains  # their numbers, which programs share
        self.outer = {}  # loops that were entered: variable: Loop
        self.loops = {}  # variable: (begin, extent)
        self.conditions = []  # (expression, whether it holds)
        self.chosen = {}  # by what divides the threads: which of them does what one does

    def bind(self, stmt):
        self.bound[hash(stmt.var)] = stmt.value
        self.remember(stmt.var, stmt.value)

    def launch(self, stmt):
        if stmt.attr_key == "thread_extent" and stmt.node.thread_tag.startswith("threadIdx"):
            self.threads[hash(stmt.node.var)] = (0, constant(stmt.value) or 1)
            self.remember(stmt.node.var, stmt.value)
        elif stmt.attr_key == "thread_extent":
            self.blocks[hash(stmt.node.var)] = (0, constant(stmt.value))

    def remember(self, variable, value):
        self.chain = self.chains.setdefault((self.chain, hash(variable), hash(value)), len(self.chains) + 1)

    def plain(self, expr):
        while (type(expr) is tirx.Cast and "int" in str(expr.dtype)) or hash(expr) in self.bound:
            expr = self.bound[hash(expr)] if hash(expr) in self.bound else expr.value
        return expr

    def is_elected(self, more=()):
        return any("elect" in call_name(condition) and holds for condition, holds in (*self.conditions, *more))

    def is_the_one(self, who):
        """Whether what one thread of the role or of the block does here is done by the one that does it elsewhere."""
        around = tuple((hash(condition), holds) for condition, holds in self.conditions if self.divides(condition))
        return self.chosen.setdefault(around, who) == who

    def divides(self, condition):
        return any(hash(var) in self.threads or (hash(var) in self.bound and self.divides(self.bound[hash(var)]))
                   for var in undefined_vars(condition))

    def only_thread(self, condition):
        """The number of the one thread that comes here and that it holds for; None: there is none, or more, or it is not known."""
        grid = Grid(self.bound, self.threads)
        try:
            kept = [numpy.asarray(grid.of(each)).astype(bool) == holds
                    for each, holds in ((condition, True), *self.conditions) if self.divides(each)]
        except NotKnown:
            return None
        holds = functools.reduce(numpy.logical_and, kept, numpy.bool_(True))
        if len(grid.axes) != 1 or grid.points != self.block_threads() or int(holds.sum()) != 1:
            return None
        return int(numpy.flatnonzero(holds)[0])

    def block_threads(self):
        return math.prod(extent for _, extent in self.threads.values())

    def threads_of(self, condition):
        """[how many threads of the block it holds for, of the others]; 0: not known."""
        grid = Grid(self.bound, self.threads)
        try:
            holds = numpy.asarray(grid.of(condition)).astype(bool)
        except NotKnown:
            return [0, 0]
        count = int(holds.sum()) * (self.block_threads() // grid.points)
        return [count, self.block_threads() - count]
