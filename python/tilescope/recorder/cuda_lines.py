"""Which statement each line of the emitted CUDA stands for.

TileLang's code generator prints `#line N "FILE"` before every statement that has a span, if it is asked to. So the module
that it was given is printed once more, as a copy in which every statement has a span of its own:

    #line 7 "begin"            statement 7 begins here
    for (int k = 0; k < 3; ++k) {
    #line 8 "begin"
      A[k] = 0;
    #line 7 "end"              its body ended: what follows is of 7 again
    }

What is left without these lines must be the emitted CUDA, character for character; else nothing is said of it."""

import re

from tilelang import ir as tilelang_ir
from tilelang import tvm
from tvm import tirx
from tvm.ir.base import SourceName, Span

from tilescope.recorder.expressions import call_name
from tilescope.recorder.statements import PARTS

BEGIN, END = "begin", "end"
DIRECTIVE = re.compile(rf'#line (\d+) "({BEGIN}|{END})"')
PRINT = "target.build.tilelang_cuda_without_compile"
CHANGES_TEXT = "tilelang_callback_cuda_postproc"

# By kind of statement: a copy with these bodies and this span.
COPIES = {
    tirx.For: lambda stmt, bodies, span: tirx.For(stmt.loop_var, stmt.min, stmt.extent, stmt.kind, *bodies,
                                                  stmt.thread_binding, stmt.annotations, stmt.step, span),
    tirx.While: lambda stmt, bodies, span: tirx.While(stmt.condition, *bodies, span),
    tirx.IfThenElse: lambda stmt, bodies, span: tirx.IfThenElse(stmt.condition, *[*bodies, None][:2], span),
    tirx.AttrStmt: lambda stmt, bodies, span: tirx.AttrStmt(stmt.node, stmt.attr_key, stmt.value, *bodies, span),
    tirx.BufferStore: lambda stmt, _, span: tirx.BufferStore(stmt.buffer, stmt.value, stmt.indices, stmt.predicate, span),
    tirx.Evaluate: lambda stmt, _, span: tirx.Evaluate(stmt.value, span),
    tirx.Bind: lambda stmt, _, span: tirx.Bind(stmt.var, stmt.value, span),
    tirx.AllocBuffer: lambda stmt, _, span: tirx.AllocBuffer(stmt.buffer, stmt.annotations, span),
    tirx.DeclBuffer: lambda stmt, _, span: tirx.DeclBuffer(stmt.buffer, span),
    tirx.AssertStmt: lambda stmt, _, span: tirx.AssertStmt(stmt.condition, stmt.error_kind, stmt.message_parts, span),
}


class NotMapped(Exception):
    """Says why."""


class Marked:
    """Copies of functions. `places`: the statement, or the function, that each number stands for."""

    def __init__(self):
        self.places = []
        self.sources = {name: SourceName(name) for name in (BEGIN, END)}

    def enter(self, place):
        self.places.append(place)
        return len(self.places)

    def span(self, what, number):
        return Span(self.sources[what], number, number, 1, 1)

    def function(self, function):
        number = self.enter(function)
        return function.with_body(self.closed(self.copy(function.body), number), self.span(BEGIN, number))

    def copy(self, stmt):
        kind = type(stmt)
        if kind is tirx.SeqStmt:
            return tirx.SeqStmt([self.copy(child) for child in stmt.seq[:]])
        if kind not in COPIES:
            raise NotMapped(f"it is not known how {kind.__name__} is emitted")
        number = self.enter(stmt)
        bodies = [self.copy(child) for child in PARTS[kind](stmt)[0]] if kind in PARTS else []
        # Of attributes only this one is a block in CUDA.
        if kind is not tirx.AttrStmt or stmt.attr_key == "lexical_alloc_scope":
            bodies = [self.closed(body, number) for body in bodies]
        return COPIES[kind](stmt, bodies, self.span(BEGIN, number))

    def closed(self, body, number):
        """With a statement at its end that prints nothing but its line."""
        if type(body) is tirx.AttrStmt and body.attr_key == "lexical_alloc_scope":
            # The generator looks for this right inside of a function and of a loop.
            return tirx.AttrStmt(body.node, body.attr_key, body.value, self.closed(body.body, number),
                                 tilelang_ir.get_stmt_span(body))
        # By hand: the constructor leaves out such statements of sequences in sequences.
        inner = body.seq[:] if type(body) is tirx.SeqStmt else [body]
        return tirx.SeqStmt([*inner, tirx.Evaluate(tirx.IntImm("int32", 0), self.span(END, number))])


def places_of_lines(functions, target, config, text):
    """[(line of `text` from 1, statement or function, whether it is the end of that)] of the lines that are not empty.
    `functions`: what was emitted, {name: (GlobalVar, PrimFunc)}, with the pass configuration `config`. Raises NotMapped."""
    if tvm.ffi.get_global_func(CHANGES_TEXT, allow_missing=True) is not None:
        raise NotMapped("a callback of the program changes what is printed")
    marked = Marked()
    module = tvm.IRModule({name: marked.function(function) for name, function in functions.values()})
    with tvm.transform.PassContext(opt_level=3, config={**config, "tl.emit_line_directives": True}):
        printed = tvm.ffi.get_global_func(PRINT)(module, target).inspect_source().split("\n")
    if "\n".join(line for line in printed if not DIRECTIVE.fullmatch(line)) != text:
        raise NotMapped("printed once more it is another text")
    return read(printed, marked.places)


def read(printed, places):
    result, line, current = [], 0, None
    for text in printed:
        if directive := DIRECTIVE.fullmatch(text):
            current = (places[int(directive[1]) - 1], directive[2] == END)
            if isinstance(current[0], tirx.PrimFunc) and not current[1]:
                result.append((line, *current))  # its line stands below the signature
            continue
        line += 1
        if current is not None and text.strip():
            result.append((line, *current))
            if isinstance(current[0], tirx.PrimFunc) and current[1]:
                current = None  # what follows its end is of no function
    return result


def line_map(compile_, passes, tables):
    """The `map` of the record `cuda`; `tables`: after the last of `passes`. Raises NotMapped."""
    kernels, known = compile_.kernels, tables.buffers.known
    last = next(functions for _, functions in reversed(passes) if functions is not None)
    originals = in_last_state(kernels, last, known)
    buffers = {data: (buffer.id,) for data, buffer in tables.buffers.by_data.items()}
    buffers |= {variable: (tensor,) for variable, tensor in tensors_of_parameters(passes, kernels, tables.buffers).items()}
    result = []
    text, own, is_own = compile_.emitted.inspect_source(), {hash(function) for _, function in kernels.values()}, False
    for line, place, is_end in places_of_lines(compile_.emitted_with, compile_.target, compile_.config, text):
        if isinstance(place, tirx.PrimFunc) and not is_end:
            is_own = hash(place) in own
        if not is_own:
            continue
        entry, shared = {"line": line}, ()
        if isinstance(place, tirx.PrimFunc):
            variables = map(hash, place.params)
        else:
            stmt = originals.get(place, place)
            source, is_carried = tables.source(stmt)
            entry |= {"stmt": tables.marks[stmt]} | ({"span": [source, 1, source, 1]} if source else {})
            entry |= {"carried": True} if is_carried else {}
            variables = known.named_variables(stmt)
            shared = [tables.descriptors.get(variable, ()) for variable in known.own_variables(stmt)]
        touched = set() if is_end else set().union(*shared, *(buffers.get(variable, ()) for variable in variables))
        result.append(entry | ({"buffers": sorted(touched)} if touched else {}))
    return result


def in_last_state(kernels, last, known):
    """{statement that was emitted: the one in its place in the last state} where these are not the same objects."""
    result = {}
    for name, (_, function) in kernels.items():
        other = last[name][1] if name in last else None
        if other is None or not (function.same_as(other) or tvm.ir.structural_equal(function, other)):
            raise NotMapped(f"what was emitted of {name} is not what the last pass left")
        if not function.same_as(other):
            result |= dict(zip(known.statements(function.body), known.statements(other.body)))
    return result


def tensors_of_parameters(passes, kernels, buffers):
    """{parameter of a kernel: id of the tensor}: they are the arguments of the call that the host makes. One may be the
    descriptor of a tensor, which a call makes of the tensor before."""
    known = buffers.known
    tensors = {data: buffer.id for data, buffer in buffers.by_data.items() if buffer.scope == "global"}
    split = next((functions for _, functions in passes if functions and set(functions) > set(kernels)), {})
    calls = [known.facts(stmt).head for name, (_, function) in split.items() if name not in kernels
             for stmt in known.statements(function.body) if type(stmt) is tirx.Evaluate and type(stmt.value) is tirx.Call]
    for call in calls:
        handles = [hash(arg) for arg in call.args[:] if type(arg) is tirx.Var and arg.dtype == "handle"]
        given = [tensors[handle] for handle in handles if handle in tensors]
        if call_name(call) == "tirx.tvm_call_packed" and len(given) == 1:
            tensors |= dict.fromkeys(handles, given[0])
    result = {}
    for call in calls:
        name = call.op.name_hint if isinstance(call.op, tvm.ir.GlobalVar) else ""
        if name in kernels:
            parameters = zip(map(hash, split[name][1].params), map(hash, call.args[:]))
            result |= {parameter: tensors[given] for parameter, given in parameters if given in tensors}
    return result
