"""Calls of the author's own CUDA (core/ops/call_extern): each pointer as the box of elements that it is followed for, or as the
whole buffer and how far behind its beginning it points."""

import math

from tvm import tirx

from .errors import NoCounterpart
from .expressions import Expressions, call_name, constant, type_name
from .text import quoted

POINTERS = ("access_ptr", "address_of", "tvm_access_ptr")
NOTHING = ("handle", "void", "")
EFFECTS = {1: "r", 2: "w", 3: "b"}


def is_wanted(call) -> bool:
    """Whether it gives a value."""
    return call_name(call) in ("call_extern", "call_pure_extern") and str(call.dtype) not in NOTHING


def box_of(buffer, starts: list, count: int):
    """Extents of `count` elements, one behind the other, from `starts` on; None: they are no box."""
    if len(starts) == 1:
        return [count]
    extents, left = [], count
    for start, extent in zip(reversed(starts), reversed(buffer.shape)):
        taken = 1
        if left > 1 and constant(extent):
            is_whole = constant(start) == 0 and left % constant(extent) == 0
            taken = constant(extent) if is_whole else left
            if taken > constant(extent):
                return None
        if left % taken:
            return None
        extents.insert(0, taken)
        left //= taken
    return extents if left == 1 else None


class ForeignCalls:
    """`unflattened` gives buffer and indices of a pointer that counts elements."""

    def __init__(self, expressions: Expressions, unflattened):
        self.expressions, self.unflattened, self.held = expressions, unflattened, []

    def lines(self, call, result: str | None) -> list[str]:
        name, words, letters, before = call.args[0].value, [], "", []
        if result is not None:
            words, letters = [result], "="
        for arg in call.args[1:]:
            letter, texts = self.pointer(arg) if call_name(arg) in POINTERS else ("v", [self.value(arg, before)])
            words += texts
            letters += letter
        return [*before, f"T.call_extern({', '.join([*words, f'callee={quoted(name)}', f'signature={quoted(letters)}'])})"]

    def value(self, expr, before: list) -> str:
        text = self.expressions.text(expr)
        reads = []
        tirx.stmt_functor.post_order_visit(expr, lambda node: reads.append(node) if type(node) is tirx.BufferLoad else None)
        if not reads:
            return text
        var = tirx.Var("argument", expr.dtype)
        self.held.append(var)
        name = self.expressions.names.declare(var, var.name)
        before.append(f"{name}: T.{type_name(expr.dtype)} = {text}")
        return name

    def pointer(self, call):
        if call_name(call) == "address_of":
            return self.into(call.args[0].buffer, call.args[0].indices, "b")
        if call_name(call) == "access_ptr":
            load, count, effect = call.args[0], constant(call.args[1]), constant(call.args[2])
            return self.region(load.buffer, list(load.indices), count, effect)
        _, data, offset, count, effect = call.args
        buffer, indices = self.unflattened(data, offset)
        if len(indices) > 1 and constant(offset) != 0:
            return self.into(buffer, indices, "r" if constant(effect) == 1 else "b")
        return self.region(buffer, indices if len(indices) == 1 else [tirx.const(0, "int32")] * len(indices), constant(count),
                           constant(effect))

    def region(self, buffer, starts: list, count, effect):
        if effect not in EFFECTS:
            raise NoCounterpart("a pointer of unknown use")
        extents = box_of(buffer, starts, count) if count else None
        if extents is None:
            return self.into(buffer, starts, "r" if effect == 1 else "b")
        axes = ", ".join(map(self.expressions.range, starts, (tirx.const(extent, "int32") for extent in extents)))
        return EFFECTS[effect], [f"{self.expressions.buffer(buffer)}[{axes}]"]

    def into(self, buffer, indices, letter: str):
        """All of the buffer, from an element on."""
        zeros = [tirx.const(0, "int32")] * len(buffer.shape)
        axes = ", ".join(map(self.expressions.range, zeros, buffer.shape))
        strides = [math.prod(buffer.shape[axis + 1:]) for axis in range(len(buffer.shape))]
        place = sum((index * stride for index, stride in zip(indices, strides)), tirx.const(0, "int32"))
        whole = f"{self.expressions.buffer(buffer)}[{axes}]"
        return (letter, [whole]) if constant(place) == 0 else (letter + "+", [whole, self.expressions.text(place)])
