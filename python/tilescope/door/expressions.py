"""Expressions: from TVM's objects to IR text, by kind. Nothing is folded; each operand of an operator stands between
parentheses unless it is a name, a literal or a call."""

import math
import re

from tvm import tirx

from .errors import NoCounterpart
from .names import Names

BINARY = {
    tirx.Add: "+", tirx.Sub: "-", tirx.Mul: "*", tirx.FloorDiv: "//", tirx.FloorMod: "%", tirx.EQ: "==", tirx.NE: "!=",
    tirx.LT: "<", tirx.LE: "<=", tirx.GT: ">", tirx.GE: ">=", tirx.And: "and", tirx.Or: "or",
    tirx.Min: "T.min", tirx.Max: "T.max",
}
BINARY_CALLS = {"bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^", "shift_left": "<<", "shift_right": ">>"}
OF_BOOL = {"bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "!="}
# Functions of one or two arguments: the name in TileLang's IR, and ours where it is another.
MATH = {name: name for name in (
    "exp exp2 exp10 log log2 log10 log1p sqrt rsqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid "
    "erf floor ceil nearbyint trunc pow atan2 hypot fmod copysign nextafter __exp __exp10 __log __log2 __log10 __sin __cos "
    "__tan fast_rcp ieee_frsqrt isnan isfinite popcount clz").split()}
MATH |= {"fabs": "abs", "round": "nearbyint", "round_ties_away_from_zero": "round"}
# Their last argument is the rounding.
IEEE = ("ieee_add", "ieee_sub", "ieee_mul", "ieee_fmaf", "ieee_frcp", "ieee_fsqrt", "ieee_fdiv")
TRUNCATING = {tirx.Div: "truncdiv", tirx.Mod: "truncmod"}
# The operator, and what it is applied with where the kernel does not say.
PLACES = {"get_lane_idx": ("%", 32), "get_warp_idx": ("//", 32), "get_warp_idx_sync": ("//", 32),
          "get_warp_group_idx": ("//", 32, 4), "tl_shuffle_elect": ()}
TYPES = frozenset(
    "bool int4 int8 int16 int32 int64 uint4 uint8 uint16 uint32 uint64 float16 float32 float64 bfloat16 tfloat32 "
    "float8_e4m3fn float8_e5m2 float4_e2m1fn".split())
NARROW = ("bool", "int8", "int16", "uint8", "uint16")
SPELLINGS = {"float8_e4m3": "float8_e4m3fn", "custom[tfloat32]": "tfloat32"}
LITERALS = (tirx.IntImm, tirx.FloatImm)


def call_name(expr) -> str:
    """Of the operation that is called, without its namespace; "" for what is no call."""
    return getattr(expr.op, "name", "").rpartition(".")[2] if type(expr) is tirx.Call else ""


def lanes_in(dtype) -> tuple[str, int]:
    """The type of a lane, and how many there are."""
    found = re.fullmatch(r"(\w+?)x(\d+)", str(dtype))
    return (found[1], int(found[2])) if found else (str(dtype), 1)


def type_name(dtype) -> str:
    name = SPELLINGS.get(str(dtype), str(dtype))
    if name not in TYPES:
        raise NoCounterpart(f"the type {name}")
    return name


def is_float(dtype) -> bool:
    return "float" in str(dtype)


def constant(expr) -> int | None:
    return expr.value if type(expr) is tirx.IntImm else expr if isinstance(expr, int) else None


def literal(value, dtype) -> str:
    """Bare integers are int32, bare floats float32."""
    name = type_name(dtype)
    if name == "bool":
        return "True" if value else "False"
    if not is_float(name):
        return str(int(value)) if name == "int32" else f"T.{name}({int(value)})"
    value = float(value)
    if math.isnan(value):
        return f'T.nan("{name}")'
    if math.isinf(value):
        return f'{"-" if value < 0 else ""}T.infinity("{name}")'
    return repr(value) if name == "float32" else f"T.{name}({value!r})"


class Expressions:
    """`text` raises NoCounterpart for what our IR has not."""

    def __init__(self, names: Names):
        self.names = names
        self.buffers_by_data = {}
        self.tables = None  # of pointers: Tables of the function
        self.result_of = lambda call: None  # what stands for the value of an operation
        self.thread = ""  # the variable that counts the threads of the launch
        self.rank = "0"  # of a block in its cluster
        self.exchange = lambda expr: None  # what a call gives that is an operation of ours

    def text(self, expr) -> str:
        kind = type(expr)
        if isinstance(expr, (bool, int)):
            return literal(expr, "bool" if isinstance(expr, bool) else "int32")
        if kind in LITERALS:
            return literal(expr.value, expr.dtype)
        if isinstance(expr, tirx.Var):
            return self.variable(expr)
        if kind in BINARY:
            return self.binary(expr)
        if kind is tirx.BufferLoad:
            return self.element(expr.buffer, expr.indices)
        if kind is tirx.Cast:
            return self.converted(expr.value, expr.dtype)
        if kind is tirx.Not:
            return f"(not {self.text(expr.a)})"
        if kind is tirx.Select:
            return self.select(expr.condition, expr.true_value, expr.false_value)
        if kind is tirx.Div and is_float(expr.dtype):
            return f"({self.text(expr.a)} / {self.text(expr.b)})"
        if kind is tirx.Call:
            return self.call(expr)
        if kind in TRUNCATING:
            return f"T.{TRUNCATING[kind]}({self.text(expr.a)}, {self.text(expr.b)})"
        raise NoCounterpart(f"an expression of kind {kind.__name__}")

    def variable(self, var) -> str:
        text = self.names.find(var)
        if text is None:
            raise NoCounterpart(f"the variable '{var.name}', which the kernel does not bind,")
        return text

    def binary(self, expr) -> str:
        # TVM writes -x as x * -1.
        if type(expr) is tirx.Mul and type(expr.b) in LITERALS and expr.b.value == -1:
            return self.negated(expr.a)
        first, second, spelling = self.text(expr.a), self.text(expr.b), BINARY[type(expr)]
        return f"{spelling}({first}, {second})" if spelling.startswith("T.") else f"({first} {spelling} {second})"

    def negated(self, expr) -> str:
        text = self.text(expr)
        return "-" + text if call_name(expr) == "infinity" else f"(-{text})"

    def select(self, condition, when_true, when_false) -> str:
        return f"({self.text(when_true)} if {self.condition(condition)} else {self.text(when_false)})"

    def condition(self, expr) -> str:
        text = self.text(expr)
        return text if str(getattr(expr, "dtype", "bool")) == "bool" else f"({text} != {literal(0, expr.dtype)})"

    def call(self, expr) -> str:
        name, args = call_name(expr), expr.args
        result = self.result_of(expr)
        if result is not None:
            return result
        if name == "if_then_else":
            return self.select(*args)
        if name == "infinity":
            return f'T.infinity("{type_name(expr.dtype)}")'
        if name == "likely":
            return self.text(args[0])
        if name == "bitwise_not":
            return f"({'not ' if str(expr.dtype) == 'bool' else '~'}{self.text(args[0])})"
        if name == "clamp":
            return f"T.max(T.min({self.text(args[0])}, {self.text(args[2])}), {self.text(args[1])})"
        if name in BINARY_CALLS:
            spellings = OF_BOOL if str(expr.dtype) == "bool" else BINARY_CALLS
            return f"({self.text(args[0])} {spellings[name]} {self.text(args[1])})"
        if name in IEEE:
            return f"T.{name}_{args[-1].value}({', '.join(map(self.text, args[:-1]))})"
        if name == "reinterpret":
            return f'T.reinterpret({self.text(args[0])}, "{type_name(expr.dtype)}")'
        if name == "__ldg":
            return self.text(args[0])
        if name == "pow_of_int" or name == "ldexp":
            return f"T.{name.removesuffix('_of_int')}({self.text(args[0])}, {self.converted(args[1], expr.dtype)})"
        if name in MATH:
            return f"T.{MATH[name]}({', '.join(map(self.text, args))})"
        if name in PLACES:
            return self.place(name, args)
        if name == "block_rank_in_cluster":
            return self.rank
        exchanged = self.exchange(expr)
        if exchanged is not None:
            return exchanged
        raise NoCounterpart(f"T.{name}" if name else "a call of a function")

    def place(self, name, args) -> str:
        """The index of a lane, a warp or a group of warps, of threads that are counted together."""
        if name == "tl_shuffle_elect":
            return f"(({self.thread} % {constant(args[0])}) == 0)" if constant(args[0]) else f"({self.thread} == 0)"
        operator, *sizes = PLACES[name]
        sizes = [constant(arg) for arg in args] + sizes[len(args):]
        if None in sizes:
            raise NoCounterpart(f"T.{name} of a number that is not constant")
        return f"({self.thread} {operator} {math.prod(sizes)})"

    def converted(self, expr, dtype) -> str:
        """As an element of the type."""
        if isinstance(expr, (bool, int, float)) or type(expr) in LITERALS:
            return literal(getattr(expr, "value", expr), dtype)
        if str(expr.dtype) == str(dtype):
            return self.text(expr)
        return f'T.cast({self.text(expr)}, "{type_name(dtype)}")'

    def buffer(self, buffer, is_lane: bool = False) -> str:
        if lanes_in(buffer.dtype)[1] > 1 and not is_lane:
            raise NoCounterpart(f"'{buffer.name}', a tile of vectors,")
        text = self.names.find(buffer)
        if text is None:
            raise NoCounterpart(f"'{buffer.name}', another view of a buffer,")
        return text

    def element(self, buffer, indices) -> str:
        for index in indices:
            if type(index) is tirx.Ramp:
                raise NoCounterpart("a slice as a value")
        return self.at(buffer, list(map(self.index, indices)))

    def at(self, buffer, axes: list[str], is_lane: bool = False) -> str:
        """An element or a part of it, or a lane of one."""
        whole, row = self.tables.place_of(buffer) if self.tables else (buffer, [])
        return f"{self.buffer(whole, is_lane)}[{', '.join([*row, *axes]) or '()'}]"

    def index(self, expr) -> str:
        """Of at least 32 bits."""
        is_narrow = str(getattr(expr, "dtype", "int32")) in NARROW
        return self.converted(expr, "int32") if is_narrow else self.text(expr)

    def range(self, start, extent) -> str:
        if constant(extent) == 1:
            return self.text(start)
        return f"T.span({self.text(start)}, {self.text(extent)})"
