"""What threads find out together: calls that are expressions in TileLang's IR, and operations that write a variable of
their own in ours, in front of the statement that they stand in."""

import math

from tvm import tirx

from .errors import NoCounterpart
from .expressions import Expressions, call_name, constant, literal, type_name
from .text import Text

ALL_LANES = 0xFFFFFFFF
SHUFFLES = {"shfl_sync": "index", "shfl_up_sync": "up", "shfl_down_sync": "down", "shfl_xor_sync": "xor",
            "tvm_warp_shuffle": "index", "tvm_warp_shuffle_up": "up", "tvm_warp_shuffle_down": "down"}
VOTES = {"any_sync": "any", "all_sync": "all", "ballot_sync": "ballot", "ballot": "ballot"}
MATCHES = {"match_any_sync": "match_any", "match_all_sync": "match_all"}
BARRIER_VOTES = {"syncthreads_count": "count", "syncthreads_and": "and", "syncthreads_or": "or"}
WARP_REDUCTIONS = {"warp_reduce_sum": "sum", "warp_reduce_max": "max", "warp_reduce_min": "min",
                   "warp_reduce_bitand": "bit_and", "warp_reduce_bitor": "bit_or"}
ACTIVE = ("activemask", "tvm_warp_activemask")
DEFAULTS = {"shuffle": "index", "vote": "any", "barrier_vote": "count", "thread_reduce": "sum"}
COMBINERS = {tirx.Add: "sum", tirx.Max: "max", tirx.Min: "min"}


def combiner_of(reducer) -> str:
    """The kind of T.thread_reduce that a CommReducer is."""
    value = reducer.result[0]
    sides = (reducer.lhs[0], reducer.rhs[0])
    bits = {"bitwise_and": "bit_and", "bitwise_or": "bit_or", "bitwise_xor": "bit_xor"}
    kind = COMBINERS.get(type(value)) or bits.get(call_name(value))
    operands = value.args[:2] if type(value) is tirx.Call else (getattr(value, "a", None), getattr(value, "b", None))
    if len(reducer.result) != 1 or kind is None or not all(any(side.same_as(one) for one in operands) for side in sides):
        raise NoCounterpart("a reducer that is no sum, maximum, minimum, or bitwise 'and', 'or' or 'xor'")
    return kind


class Exchanges:
    """`declared_at`: where in the text the declarations of buffers end."""

    def __init__(self, expressions: Expressions, text: Text, declared_at: int, line):
        self.expressions, self.text, self.declared_at, self.line = expressions, text, declared_at, line
        self.variables = []  # names are known by objects that live

    def call(self, expr) -> str | None:
        """The element that holds what the call gives, after its operation was written; None for another call."""
        name, args, words = call_name(expr), expr.args, self.expressions
        if name in SHUFFLES:
            width = constant(args[3])
            return self.operation(expr, name, "shuffle", SHUFFLES[name], words.text(args[1]), words.converted(args[2], "int32"),
                                  mask=args[0], width=None if width == 32 else width)
        if name in VOTES:
            mask, predicate = args if len(args) == 2 else (None, args[0])
            return self.operation(expr, name, "vote", VOTES[name], words.condition(predicate), mask=mask)
        if name in MATCHES:
            return self.operation(expr, name, "vote", MATCHES[name], words.text(args[1]), mask=args[0])
        if name in BARRIER_VOTES:
            return self.operation(expr, name, "barrier_vote", BARRIER_VOTES[name], words.condition(args[0]))
        if name in WARP_REDUCTIONS:
            return self.operation(expr, name, "thread_reduce", WARP_REDUCTIONS[name], words.text(args[0]), scope='"warp"')
        if name in ("any_of", "all_of"):
            return self.fold_elements(name, *args)
        return self.operation(expr, name, "active_lanes", None) if name in ACTIVE else None

    def fold_elements(self, name, pointer, count) -> str:
        """Every thread looks at all elements from `pointer` on."""
        element = pointer.args[0]
        buffer, starts = element.buffer, list(element.indices)
        extents = list(buffer.shape) if all(constant(start) == 0 for start in starts) else [1] * (len(starts) - 1) + [count]
        if math.prod(constant(extent) or 0 for extent in extents) != constant(count):
            extents = [1] * (len(starts) - 1) + [count]
        if buffer.scope() == "local.fragment":
            raise NoCounterpart(f"T.{name} of a fragment")
        result, words, depth = self.variable(name, "bool"), self.expressions, self.text.depth
        self.line(f"{result} = {name == 'all_of'}")
        indices = []
        for start, extent in zip(starts, extents):
            text = words.text(start)
            if constant(extent) != 1:
                self.variables.append(object())
                index = words.names.declare(self.variables[-1], "i")
                self.line(f"for {index} in T.serial({words.text(extent)}):", (index, index))
                self.text.depth += 1
                text = index if constant(start) == 0 else f"({text} + {index})"
            indices.append(text)
        value = f"{words.buffer(buffer)}[{', '.join(indices)}]"
        if str(buffer.dtype) != "bool":
            value = f"({value} != {literal(0, buffer.dtype)})"
        self.line(f"{result} = ({result} {'or' if name == 'any_of' else 'and'} {value})")
        for variable in self.variables[len(self.variables) - (self.text.depth - depth):] if self.text.depth > depth else ():
            words.names.forget(variable)
        self.text.depth = depth
        return result

    def operation(self, expr, name, operation, kind, *values, mask=None, **words) -> str:
        result = self.variable(name.removesuffix("_sync") if name.startswith("shfl_") and name != "shfl_sync" else name,
                               type_name(expr.dtype))
        if mask is not None and constant(mask) != ALL_LANES:
            words = {"mask": self.expressions.converted(mask, "uint32"), **words}
        if kind != DEFAULTS.get(operation):
            words["kind"] = f'"{kind}"'
        self.line(f"T.{operation}({', '.join((result, *values, *(f'{word}={value}' for word, value in words.items() if value)))})")
        return result

    def variable(self, name: str, dtype: str) -> str:
        """The element of a new variable."""
        return self.declare(f"{name}_result", "alloc_var", ["1"], dtype) + "[0]"

    def declare(self, wanted: str, allocator: str, extents, dtype: str) -> str:
        """A buffer, declared after all others."""
        self.variables.append(object())
        name = self.expressions.names.declare(self.variables[-1], wanted)
        shape = ", ".join(extents) + ("," if len(extents) == 1 else "")
        self.text.lines.insert(self.declared_at, f'    {name} = T.{allocator}(({shape}), "{dtype}")  #@ {self.text.buffer_tag("")}')
        self.declared_at += 1
        return name
