"""Integer expressions of TVM as numbers, over all values of their variables at once."""

import math

import numpy
from tvm import tirx

# Elements of one statement, over all threads and inner loops, beyond which its extent is not worked out.
MAX_ELEMENTS = 1 << 22


class NotKnown(Exception):
    """An expression depends on what is not enumerated."""


def dividing(function, truncates):
    """Division and modulo round down here, and only agree with those that truncate where nothing is negative."""

    def of(a, b):
        if not b.all() or (truncates and (numpy.any(a < 0) or numpy.any(b < 0))):
            raise NotKnown
        return function(a, b)

    return of


BINARY = {
    tirx.Add: numpy.add, tirx.Sub: numpy.subtract, tirx.Mul: numpy.multiply,
    tirx.FloorDiv: dividing(numpy.floor_divide, False), tirx.FloorMod: dividing(numpy.remainder, False),
    tirx.Div: dividing(numpy.floor_divide, True), tirx.Mod: dividing(numpy.remainder, True),
    tirx.Min: numpy.minimum, tirx.Max: numpy.maximum, tirx.LT: numpy.less, tirx.LE: numpy.less_equal,
    tirx.GT: numpy.greater, tirx.GE: numpy.greater_equal, tirx.EQ: numpy.equal, tirx.NE: numpy.not_equal,
    tirx.And: numpy.logical_and, tirx.Or: numpy.logical_or,
}
BY_CALL = {
    "tirx.shift_right": numpy.right_shift, "tirx.shift_left": numpy.left_shift, "tirx.bitwise_and": numpy.bitwise_and,
    "tirx.bitwise_or": numpy.bitwise_or, "tirx.bitwise_xor": numpy.bitwise_xor,
}

CONSTANTS = (tirx.IntImm, tirx.FloatImm, tirx.StringImm)


def call_name(expr):
    """Of the operation that is called; "" for what is no call."""
    return getattr(expr.op, "name", "") if type(expr) is tirx.Call else ""


class Grid:
    """Values of integer expressions over all values of some variables at once: each is an axis once it occurs."""

    def __init__(self, bound, ranges, zeroed=None):
        self.bound = bound  # by variable: the expression that it stands for
        self.ranges = ranges  # by variable: (begin, extent)
        self.zeroed = zeroed or {}  # by variable of a buffer whose elements are all 0: names of the data in it
        self.used = set()  # names of the data that were read
        self.axes = {}
        self.points = 1

    def axis(self, name, begin, extent):
        if name not in self.axes:
            if begin is None or extent is None:
                raise NotKnown
            self.points *= extent
            if self.points > MAX_ELEMENTS:
                raise NotKnown
            values = numpy.arange(begin, begin + extent, dtype=numpy.int64)
            self.axes[name] = values.reshape((extent,) + (1,) * len(self.axes))
        return self.axes[name]

    def of(self, expr):
        kind = type(expr)
        if kind is tirx.IntImm:
            return numpy.int64(expr.value)
        if kind in (tirx.Var, tirx.SizeVar) and hash(expr) in self.ranges:
            return self.axis(hash(expr), *self.ranges[hash(expr)])
        if kind in (tirx.Var, tirx.SizeVar) and hash(expr) in self.bound:
            return self.of(self.bound[hash(expr)])
        if kind in BINARY:
            return BINARY[kind](self.of(expr.a), self.of(expr.b))
        if kind is tirx.Cast and "int" in str(expr.dtype):
            return self.of(expr.value)
        if kind is tirx.Cast and str(expr.dtype).startswith("bool"):
            return numpy.not_equal(self.of(expr.value), 0)
        if kind is tirx.BufferLoad and hash(expr.buffer.data) in self.zeroed:
            self.used |= self.zeroed[hash(expr.buffer.data)]
            return numpy.int64(0)
        if call_name(expr) == "tirx.if_then_else":
            return self.choice(*expr.args[:])
        if kind is tirx.Select:
            return self.choice(expr.condition, expr.true_value, expr.false_value)
        if kind is tirx.Not:
            return numpy.logical_not(self.of(expr.a))
        if call_name(expr) in BY_CALL:
            return BY_CALL[call_name(expr)](self.of(expr.args[0]), self.of(expr.args[1]))
        if kind is tirx.Ramp and constant(expr.lanes):
            lanes = self.axis(("lanes", expr.lanes.value), 0, expr.lanes.value)
            return self.of(expr.base) + self.of(expr.stride) * lanes
        raise NotKnown

    def choice(self, condition, value, otherwise):
        return numpy.where(numpy.asarray(self.of(condition)).astype(bool), self.of(value), self.of(otherwise))


def constant(expr):
    """The value of a constant, or None."""
    return expr.value if type(expr) is tirx.IntImm else expr if isinstance(expr, int) else None


def constants(exprs):
    """All values, or None if one is not constant."""
    values = [constant(expr) for expr in exprs]
    return None if None in values else values


def summands(expr, factor=1):
    """(term, factor) of a sum."""
    kind = type(expr)
    if kind is tirx.Add:
        return summands(expr.a, factor) + summands(expr.b, factor)
    if kind is tirx.Sub:
        return summands(expr.a, factor) + summands(expr.b, -factor)
    if kind is tirx.Mul and constant(expr.b) is not None:
        return summands(expr.a, factor * constant(expr.b))
    return [(expr, factor)]


def remainder(term):
    """(x, V) of x mod V, where x is not negative."""
    if type(term) in (tirx.FloorMod, tirx.Mod) and constant(term.b):
        return term.a, constant(term.b)
    if call_name(term) == "tirx.bitwise_and" and constant(term.args[1]):
        modulus = constant(term.args[1]) + 1
        if modulus & (modulus - 1) == 0:
            return term.args[0], modulus
    raise NotKnown


def steps_of(shape):
    """Of one step in each dimension, in elements; None: not constant."""
    extents = constants(shape[1:])
    return None if extents is None else [math.prod(extents[i:]) for i in range(len(extents) + 1)]


def terms_of(buffer, indices):
    steps = steps_of(buffer.shape)
    if steps is None or len(steps) != len(indices):
        return None
    return list(zip(indices[:], steps))


def those_chosen(elements, chosen):
    """Of the elements over a grid, those at the chosen points. Axes that only the choice depends on choose an element
    if one of their points does, so that they need not be multiplied out."""
    if chosen.all():
        return elements.ravel()
    extra = chosen.ndim - elements.ndim
    only = tuple(d for d in range(chosen.ndim) if d < extra or elements.shape[d - extra] == 1)
    chosen = chosen.any(axis=only, keepdims=True)
    chosen = chosen.reshape(chosen.shape[max(extra, 0):])
    return elements[numpy.broadcast_to(chosen, elements.shape)]
