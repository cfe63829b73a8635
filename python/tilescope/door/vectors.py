"""Values of several lanes, of which our IR has none: each lane is an expression of its own, and a buffer of vectors has one axis
more, the last (core/frontend/vectors.h)."""

import re

from tvm import tirx

from .errors import NoCounterpart
from .expressions import BINARY, Expressions, call_name, constant, lanes_in, type_name

PACKED = {"add2": "({} + {})", "sub2": "({} - {})", "mul2": "({} * {})", "max2": "T.max({}, {})", "min2": "T.min({}, {})",
          "fma2": "T.ieee_fmaf_rn({}, {}, {})", "abs2": "T.abs({})"}
SETTLED = re.compile(r"-?[\w.]+|T\.\w+\(-?[\w.]+\)")
TOKENS = re.compile(r"[\w.]+|\W")


def is_vector(dtype) -> bool:
    return lanes_in(dtype)[1] > 1


class Vectors:
    """`lanes` raises NoCounterpart for what has none."""

    def __init__(self, expressions: Expressions):
        self.expressions, self.bound = expressions, {}  # by the hash of a variable

    def lanes(self, expr) -> list[str]:
        element, count = lanes_in(expr.dtype)
        kind, text = type(expr), self.expressions.text
        if count == 1:
            return [text(expr)]
        if hash(expr) in self.bound and isinstance(expr, tirx.Var):
            return self.bound[hash(expr)]
        if kind is tirx.Broadcast:
            return [text(expr.value)] * count
        if kind is tirx.Ramp and constant(expr.stride) is not None:
            return [f"({text(expr.base)} + {lane * constant(expr.stride)})" for lane in range(count)]
        if kind is tirx.Shuffle:
            lanes = [lane for vector in expr.vectors for lane in self.lanes(vector)]
            return [lanes[constant(index)] for index in expr.indices]
        if kind is tirx.BufferLoad:
            return [self.expressions.at(expr.buffer, place, True) for place in self.places(expr.buffer, expr.indices)]
        if call_name(expr) in PACKED:
            return [PACKED[call_name(expr)].format(*lane) for lane in zip(*map(self.lanes, expr.args))]
        if kind in BINARY and not BINARY[kind].startswith("T."):
            return [f"({a} {BINARY[kind]} {b})" for a, b in zip(self.lanes(expr.a), self.lanes(expr.b))]
        if kind is tirx.Cast:
            return [f'T.cast({lane}, "{type_name(element)}")' for lane in self.lanes(expr.value)]
        raise NoCounterpart(f"T.{call_name(expr)} of vectors" if call_name(expr) else f"a vector of kind {kind.__name__}")

    def places(self, buffer, indices) -> list[list[str]]:
        """The indices of each lane of an element."""
        width = lanes_in(buffer.dtype)[1]
        counts = {lanes_in(index.dtype)[1] for index in indices} | {width}
        if len(counts - {1}) > 1 or (width > 1 and len(counts) > 2):
            raise NoCounterpart("vectors of several lengths")
        count = max(counts)
        if width > 1 and any(is_vector(index.dtype) for index in indices):
            raise NoCounterpart("a vector of vectors")
        axes = [self.lanes(index) if is_vector(index.dtype) else [self.expressions.index(index)] * count for index in indices]
        axes += [list(map(str, range(count)))] if width > 1 else []
        return [list(place) for place in zip(*axes)]


def words_of(texts: list[str]) -> set[str]:
    return {word for text in texts for word in TOKENS.findall(text)}


def is_settled(lane: str) -> bool:
    """Whether it is a variable or a constant."""
    return bool(SETTLED.fullmatch(lane))


def rolled(lanes: list[str], name: str) -> str | None:
    """The lane whose number `name` is, where lanes differ by numbers that grow in equal steps."""
    texts = [TOKENS.findall(lane) for lane in lanes]
    if len(set(map(len, texts))) != 1:
        return None
    tokens = []
    for column in zip(*texts):
        if len(set(column)) > 1:
            if not all(token.isdigit() for token in column):
                return None
            first, second = map(int, column[:2])
            if any(int(token) != first + number * (second - first) for number, token in enumerate(column)):
                return None
            column = [f"({first} + {name} * {second - first})"]
        tokens.append(column[0])
    return "".join(tokens)
