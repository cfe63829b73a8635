"""Declarations: parameters and buffers, in the order of the kernel."""

import collections

from tilelang import ir as tilelang_ir
from tilelang import tvm
from tvm import tirx
from tvm.tirx.stmt_functor import substitute

from .errors import Missing, NoCounterpart
from .expressions import Expressions, constant, lanes_in, type_name
from .layouts import layout_text
from .names import identifier
from .source import Source, place_text
from .text import Text, quoted

ALLOCATORS = {"shared.dyn": "alloc_shared", "shared": "alloc_shared_static", "local.fragment": "alloc_fragment",
              "local": "alloc_local", "local.var": "alloc_var", "global": "alloc_global",
              "local.reducer": "alloc_fragment"}


def is_dense(buffer) -> bool:
    """Whether the strides are those of rows that lie side by side."""
    analyzer, expected = tvm.arith.Analyzer(), tirx.IntImm("int32", 1)
    for extent, stride in zip(reversed(buffer.shape), reversed(buffer.strides)):
        if constant(extent) != 1 and not analyzer.can_prove_equal(stride, expected):
            return False
        expected = expected * extent
    return True


class Declarations:
    """What the text declares of one function. `facts` is what `statements.Facts` found in its body."""

    def __init__(self, function, facts, expressions: Expressions, source: Source, missing: list):
        self.function, self.facts, self.expressions, self.source = function, facts, expressions, source
        self.missing = missing
        self.names, self.ordinals, self.warnings = expressions.names, collections.Counter(), []
        self.views = {hash(view): owner for view, owner in facts.views}
        self.warnings += [f"the tensors of table '{whole.name}' are taken as one tensor: they lie one behind the other"
                          for whole in facts.tables.wholes.values()]
        self.tensors = [tensor for tensor in map(self.tensor_of, function.params) if tensor is not None]

    def tensor_of(self, param):
        """What a parameter is, or points to; None for a scalar."""
        if param not in self.function.buffer_map:
            return self.facts.pointed.get(hash(param))
        return self.facts.tables.whole(self.function.buffer_map[param])

    def write(self, text: Text, name: str, outputs: set):
        """The head of the function, and its buffers: everything but its statements."""
        symbols = self.name_symbols()
        words = ['properties=["tile"]'] + [f"name={quoted(name)}"] * (identifier(name) != name)
        words += [f"sources=[{', '.join(map(quoted, self.facts.sources))}]"] * bool(self.facts.sources)
        text.line(f"@T.prim_func({', '.join(words)})")
        span = self.source.span_text(tilelang_ir.get_prim_func_span(self.function))
        text.line(f"def {identifier(name)}(", f"span={span or '-'}")
        text.depth = 1
        self.name_buffers()
        for position, param in enumerate(self.function.params):
            if self.tensor_of(param) is not None:
                self.found(self.tensor, text, self.tensor_of(param), position in outputs)
            elif str(param.dtype) == "handle":
                self.missing.append(Missing(f"the pointer '{param.name}' as a parameter", self.source.path))
            else:
                self.scalar(text, param)
        for symbol in symbols:
            self.scalar(text, symbol)
        text.depth = 0
        text.line("):")
        text.depth = 1
        for buffer in (*self.facts.buffers, *(view for view, _ in self.facts.views)):
            self.found(self.buffer, text, buffer)

    def found(self, write, text: Text, buffer, *rest):
        try:
            write(text, buffer, *rest)
        except NoCounterpart as error:
            self.missing.append(Missing(str(error), place_text(tilelang_ir.get_buffer_span(buffer))))

    def name_symbols(self):
        """Symbolic dimensions are parameters too, in the order in which shapes mention them."""
        scalars = [param for param in self.function.params if self.tensor_of(param) is None]
        known = {hash(param) for param in scalars}
        symbols = []

        def find(expr):
            if isinstance(expr, tirx.Var) and hash(expr) not in known:
                known.add(hash(expr))
                symbols.append(expr)

        for buffer in self.tensors:
            for extent in (*buffer.shape, *(() if is_dense(buffer) else buffer.strides)):
                tirx.stmt_functor.post_order_visit(extent, find)
        for var in (*scalars, *symbols):
            self.names.declare(var, var.name)
        return symbols

    def name_buffers(self):
        for buffer in (*self.tensors, *self.facts.buffers, *(view for view, _ in self.facts.views)):
            self.names.declare(buffer, buffer.name)
            self.expressions.buffers_by_data[hash(buffer.data)] = buffer

    def scalar(self, text: Text, var):
        name = self.names.find(var)
        text.line(f"{name}: T.{type_name(var.dtype)},", text.variable_tag(name, var.name))

    def tensor(self, text: Text, buffer, is_output: bool):
        words = self.words(buffer, ["output=True"] if is_output else [])
        if not is_dense(buffer):
            words.append(f"strides=[{', '.join(map(self.expressions.text, buffer.strides))}]")
        self.declare(text, buffer, f"{self.names.find(buffer)}: T.Tensor(", words, "),")

    def buffer(self, text: Text, buffer):
        if buffer.scope() not in ALLOCATORS:
            raise NoCounterpart(f"memory of scope '{buffer.scope()}' ('{buffer.name}')")
        scope = "local" if buffer.scope() == "local.var" and lanes_in(buffer.dtype)[1] > 1 else buffer.scope()
        head = f"{self.names.find(buffer)} = T.{ALLOCATORS[scope]}("
        self.declare(text, buffer, head, self.words(buffer, self.view_words(buffer)), ")")

    def view_words(self, buffer):
        owner = self.views.get(hash(buffer))
        if owner is not None and not (is_dense(buffer) and constant(buffer.elem_offset or 0) == 0):
            raise NoCounterpart(f"'{buffer.name}', part of '{owner.name}'")
        return [f"view_of={self.names.find(owner)}"] if owner is not None else []

    def words(self, buffer, words):
        """Shape, type and identity."""
        extents = [self.expressions.text(self.unbound(extent)) for extent in buffer.shape]
        element, lanes = lanes_in(buffer.dtype)
        extents += [str(lanes)] * (lanes > 1)
        shape = ", ".join(extents) + ("," if len(extents) == 1 else "")
        layout = self.facts.layouts.get(hash(buffer.data))
        if layout is not None and hash(buffer) not in self.views:
            written = layout_text(layout, buffer)
            if written:
                words = [*words, f"layout={quoted(written)}", "layout_pinned=True"]
            else:
                self.warnings.append(f"the layout of '{buffer.name}' is left to layout inference")
        return [f"({shape})", f'"{type_name(element)}"', *words]

    def unbound(self, extent):
        """A declaration stands outside of what the kernel binds, and no pass shortens it."""
        values = self.facts.bound
        while isinstance(extent, tirx.PrimExpr) and any(hash(var) in values for var in tirx.analysis.undefined_vars(extent)):
            extent = substitute(extent, {var: values[hash(var)] for var in tirx.analysis.undefined_vars(extent)
                                         if hash(var) in values})
        return extent if constant(extent) is not None else tvm.arith.Analyzer().simplify(extent)

    def declare(self, text: Text, buffer, head: str, words, tail: str):
        ordinal = self.ordinals[buffer.name]
        self.ordinals[buffer.name] += 1
        if ordinal:
            words = [*words, f"source={quoted(buffer.name)}", f"ordinal={ordinal}"]
        elif identifier(buffer.name) != buffer.name:
            words = [*words, f"name={quoted(buffer.name)}"]
        span = self.source.span_text(tilelang_ir.get_buffer_span(self.facts.tables.origin(buffer)))
        text.line(f"{head}{', '.join(words)}{tail}", text.buffer_tag(span))
