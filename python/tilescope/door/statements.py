"""Statements: from TVM's objects to lines of IR text, by kind. All that has no counterpart is found, not the first of it."""

import dataclasses
import math

from tilelang import ir as tilelang_ir
from tvm import tirx

from . import gathers, jumps, persistent
from .errors import Missing, NoCounterpart
from .exchanges import Exchanges, combiner_of
from .expressions import Expressions, call_name, constant, lanes_in, type_name
from .layouts import loop_words
from .operations import Operations, region_of
from .reducers import Reducers, ReducerWriter
from .results import LOADS, Results
from tilescope.recorder.statements import PARTS
from .source import Source, place_text
from .tables import Tables, pointer_of
from .text import Text
from .vectors import Vectors, is_settled, is_vector, rolled, words_of

LOOPS = {tirx.ForKind.SERIAL: "serial", tirx.ForKind.UNROLLED: "unroll", tirx.ForKind.VECTORIZED: "vectorized"}
PIPELINE = ("num_stages", "tl_pipeline_order", "tl_pipeline_stage")
# Hints of loops and of launches that lowering decides by itself.
LOOP_HINTS = ("pragma_unroll_explicit", "pragma_unroll_factor", "prefer_async", "parallel_prefer_async", "tl.ws_op_id")
LAUNCH_HINTS = ("tl.min_blocks_per_sm", "tilelang_assume")  # the first is said where the launch is
# Of these the first two and the last two are read elsewhere, the third is a hint, and the barriers themselves have no counterpart.
BLOCK_ATTRIBUTES = ("layout_map", "tl.launch_threads", "l2_hit_ratio_map", "barrier_init", "reducer_info", "reducer_info_v2",
                    "pragma_import_c", "cluster_dims")
RASTERS = {"rasterization2DRow": "", "rasterization2DColumn": "raster_columns=True"}


def children(stmt):
    return PARTS[type(stmt)](stmt)[0] if type(stmt) in PARTS else []


def nest_of(loop):
    """A parallel loop with those that stand directly inside of each other."""
    loops = [loop]
    while type(loops[-1].body) is tirx.For and loops[-1].body.kind == tirx.ForKind.PARALLEL:
        loops.append(loops[-1].body)
    return loops


class Facts:
    """What concerns all of a function: `buffers` in order, `layouts` by the variable of a buffer's data, the values
    of `bound` variables; `used` variables; `views`: buffers that nothing declares, with the one whose memory they are;
    `pointed`: the same, of parameters that are pointers, by the hash of the parameter. `sources`: CUDA of the author;
    `skips`: by the hash of a loop, the variable that its jumps set; `asserted`: conditions of assertions."""

    def __init__(self, function):
        self.buffers, self.layouts, self.bound, self.used, self.held = [], {}, {}, set(), []
        self.results = Results()
        self.views, self.pointed = [], {}
        self.thread_axes = {}  # by the variable of a thread's index
        self.reducers, self.tables = Reducers(), Tables()
        self.sources, self.skips, self.asserted = [], {}, set()
        self.look_at(function.body)
        self.owners = {hash(buffer.data): buffer for buffer in
                       (*self.buffers, *(function.buffer_map[p] for p in function.params if p in function.buffer_map))}
        self.known = {hash(buffer) for buffer in self.owners.values()}
        self.pointers = {hash(p) for p in function.params if p not in function.buffer_map and str(p.dtype) == "handle"}
        tirx.stmt_functor.post_order_visit(function.body, self.note)

    def note(self, node):
        """A variable or a buffer that is used."""
        if isinstance(node, tirx.Var):
            self.used.add(hash(node))
        buffer = node.buffer if isinstance(node, (tirx.BufferLoad, tirx.BufferStore, tirx.BufferRegion)) else None
        if buffer is None or hash(buffer) in self.known:
            return
        self.known.add(hash(buffer))
        self.held.append(buffer)
        if self.tables.note(buffer):
            return
        data = hash(buffer.data)
        if data in self.owners:
            self.views.append((buffer, self.owners[data]))
        elif data in self.pointers:
            self.owners[data] = self.pointed[data] = buffer

    def look_at(self, stmt):
        if type(stmt) is tirx.SBlock:
            self.buffers += stmt.alloc_buffers[:]
            self.reducers.look_at_block(stmt)
            if "pragma_import_c" in stmt.annotations:
                self.sources.append(str(stmt.annotations["pragma_import_c"]))
            for data, layout in dict(stmt.annotations.get("layout_map", {})).items():
                self.held.append(data)
                self.layouts[hash(data)] = layout
        elif type(stmt) is tirx.AllocBuffer:
            self.buffers.append(stmt.buffer)
        elif type(stmt) in jumps.LOOPS and jumps.needs_variable(stmt):
            skips = tirx.decl_buffer((1,), "int32", name="skips", scope="local.var")
            self.skips[hash(stmt)] = skips
            self.held.append(stmt)
            self.buffers.append(skips)
        self.results.find(stmt, self.buffers)
        if type(stmt) is tirx.Bind:
            self.bound[hash(stmt.var)] = stmt.value
            self.tables.look_at(stmt)
            if call_name(stmt.value) == "launch_thread_idx":
                self.thread_axes[hash(stmt.var)] = constant(stmt.value.args[0])
        elif type(stmt) is tirx.For and stmt.kind == tirx.ForKind.PARALLEL:
            loops = nest_of(stmt)
            self.reducers.look_at_nest(loops)
            stmt = loops[-1]
        elif tag_of(stmt).startswith("threadIdx"):
            self.thread_axes[hash(stmt.loop_var)] = "xyz".index(tag_of(stmt)[-1])
        elif type(stmt) is tirx.SeqStmt:
            self.asserted |= {hash(bind.var) for bind, check in zip(stmt.seq, stmt.seq[1:]) if is_asserted(bind, check)}
        for child in children(stmt):
            self.look_at(child)


def is_asserted(bind, check) -> bool:
    """Whether it is the condition of the assertion behind it, to which TileLang gives a name."""
    call = check.value if type(bind) is tirx.Bind and type(check) is tirx.Evaluate else None
    return call_name(call).startswith("device_assert") and call.args[0].same_as(bind.var)


def tag_of(stmt) -> str:
    """"blockIdx.x"; "" for what is no loop over an axis of the launch."""
    binding = stmt.thread_binding if type(stmt) is tirx.For else None
    return "" if binding is None else str(binding.thread_tag)


def find(stmt, wanted):
    """The first statement inside for which `wanted` gives something, and what it gives."""
    given = wanted(stmt)
    return given if given is not None else next(filter(None, (find(child, wanted) for child in children(stmt))), None)


def threads_of(stmt):
    if type(stmt) is tirx.SBlock and "tl.launch_threads" in stmt.annotations:
        return [constant(extent) for extent in stmt.annotations["tl.launch_threads"]]
    return None


def raster_of(stmt):
    return stmt.value.args[:] if type(stmt) is tirx.AttrStmt and stmt.attr_key == "threadblock_swizzle_pattern" else None


def min_blocks_of(stmt):
    """Of several the last, which stands in those before it."""
    if type(stmt) is not tirx.AttrStmt or stmt.attr_key != "tl.min_blocks_per_sm":
        return None
    return find(stmt.body, min_blocks_of) or constant(stmt.value)


def cluster_of(stmt):
    if type(stmt) is tirx.SBlock and "cluster_dims" in stmt.annotations:
        return [constant(extent) for extent in stmt.annotations["cluster_dims"]]
    return None


def rank_of(blocks, cluster):
    """Of a block in its cluster, the first axis fastest."""
    below, places = 1, []
    for block, extent in zip(blocks, cluster):
        if extent != 1:
            places.append(f"({block} % {extent})" if below == 1 else f"(({block} % {extent}) * {below})")
        below *= extent
    return f"({' + '.join(places)})" if places else "0"


@dataclasses.dataclass
class LaunchOfOne:
    """T.Kernel() without a grid: no loop over blocks says where it is. `binds` are indices of the thread."""

    binds: list
    block: object


class Statements:
    """Writes the body of one function into `text`."""

    def __init__(self, facts: Facts, expressions: Expressions, source: Source, text: Text, missing: list):
        self.expressions, self.names, self.source, self.text = expressions, expressions.names, source, text
        self.facts, self.operations, self.missing = facts, Operations(expressions, facts.results), missing
        expressions.result_of, expressions.tables = self.result_of, facts.tables
        self.thread, self.threads, self.span, self.combiner, self.is_launched = "", [], None, None, False
        exchanges = Exchanges(expressions, text, len(text.lines), self.line)
        expressions.exchange = exchanges.call
        self.vectors = Vectors(expressions)
        self.reducers = ReducerWriter(facts.reducers, expressions, exchanges, self.line)
        self.by_kind = {
            tirx.For: self.loop, tirx.IfThenElse: self.branch, tirx.Bind: self.bind, tirx.BufferStore: self.store,
            tirx.Evaluate: self.evaluate, tirx.AttrStmt: self.attribute, tirx.SBlock: self.block,
            tirx.While: self.endless, LaunchOfOne: self.launch_of_one,
        }

    def write(self, function):
        self.span = tilelang_ir.get_prim_func_span(function)
        self.body(function.body)

    # ---- Blocks

    def flat(self, stmt):
        """The statements of a body."""
        if type(stmt) is tirx.SeqStmt:
            return persistent.loops_in(self.launches([inner for child in stmt.seq for inner in self.flat(child)]))
        if not self.is_launched and type(stmt) is tirx.SBlockRealize and "tl.launch_threads" in stmt.block.annotations:
            return [LaunchOfOne([], stmt.block)]
        if type(stmt) is tirx.SBlockRealize:
            return self.flat(stmt.block)
        if type(stmt) is tirx.AttrStmt and stmt.attr_key == "reduce_scope":
            return [stmt]
        if type(stmt) in (tirx.SBlock, tirx.AttrStmt):
            self.visit(stmt)
            return self.flat(stmt.body)
        return [] if type(stmt) in (tirx.AllocBuffer,) else [stmt]

    def launches(self, statements):
        """Indices of the thread belong to the launch that they stand before."""
        found, binds = [], []
        for stmt in statements:
            is_index = not self.is_launched and type(stmt) is tirx.Bind and call_name(stmt.value) == "launch_thread_idx"
            if is_index:
                binds.append(stmt)
            elif type(stmt) is LaunchOfOne:
                found.append(LaunchOfOne(binds, stmt.block))
                binds = []
            else:
                found.append(stmt)
        return found + binds

    def body(self, stmt, *opened):
        """One step further in; what it binds, and `opened`, are forgotten after it."""
        statements = self.flat(stmt)
        count = len(self.text.lines)
        for inner in statements:
            self.visit(inner)
        if len(self.text.lines) == count:
            self.text.line("pass")
        for thing in (*opened, *(inner.var for inner in statements if type(inner) is tirx.Bind)):
            self.names.forget(thing)

    def indented(self, stmt, *opened):
        self.text.depth += 1
        self.body(stmt, *opened)
        self.text.depth -= 1

    def visit(self, stmt):
        around = self.span
        placed = stmt.block if type(stmt) is LaunchOfOne else stmt
        self.span = tilelang_ir.get_stmt_span(placed) or around
        try:
            if type(stmt) not in self.by_kind:
                raise NoCounterpart(f"a statement of kind {type(stmt).__name__}")
            self.by_kind[type(stmt)](stmt)
        except NoCounterpart as error:
            self.missing.append(Missing(str(error), place_text(self.span)))
        self.span = around

    def line(self, text: str, *variables):
        """A line of the statement at hand; it binds the variables, given as (name, wanted name)."""
        tag = self.text.statement_tag(self.source.span_text(self.span))
        self.text.line(text, tag, *(self.text.variable_tag(*names) for names in variables))

    # ---- Kinds

    def block(self, stmt):
        for name in stmt.annotations:
            if name not in BLOCK_ATTRIBUTES:
                raise NoCounterpart(f"'{name}' of a block")

    def attribute(self, stmt):
        if stmt.attr_key == "reduce_scope":
            return self.reduce_scope(stmt)
        is_known = raster_of(stmt) is not None or stmt.attr_key in LAUNCH_HINTS
        if not is_known:
            raise NoCounterpart(f"'{stmt.attr_key}'")

    def reduce_scope(self, stmt):
        """Threads that reduce inside of it do so with this function."""
        around, self.combiner = self.combiner, combiner_of(stmt.node)
        for inner in self.flat(stmt.body):
            self.visit(inner)
        self.combiner = around

    def thread_allreduce(self, call):
        size, value, condition, result, *threads = call.args
        if constant(size) != 1 or constant(condition) != 1 or self.combiner is None or type(result) is not tirx.BufferLoad:
            raise NoCounterpart("T.tvm_thread_allreduce of several values, or under a condition,")
        indices = [self.facts.thread_axes.get(hash(thread)) for thread in threads]
        axes = [axis for axis, extent in enumerate(self.threads) if axis in indices]
        if None in indices or axes != list(range(axes[0], axes[-1] + 1)):
            raise NoCounterpart("T.tvm_thread_allreduce along other things than neighbouring axes of threads")
        stride, extent = math.prod(self.threads[:axes[0]]), math.prod(self.threads[axis] for axis in axes)
        words = [self.expressions.element(result.buffer, result.indices),
                 self.expressions.converted(value, result.buffer.dtype)]
        words += [f'kind="{self.combiner}"'] * (self.combiner != "sum")
        words += [f"stride={stride}"] * (stride != 1) + [f"extent={extent}"] * (extent != 32)
        self.line(f"T.thread_reduce({', '.join(words)})")

    def bind(self, stmt):
        if call_name(stmt.value) == "launch_thread_idx":
            return self.bind_thread(stmt.var, constant(stmt.value.args[0]))
        if hash(stmt.var) in self.facts.asserted:
            return self.names.stand_for(stmt.var, self.expressions.text(stmt.value))
        if pointer_of(stmt.value) is not None:
            return self.bind_pointer(stmt.var, pointer_of(stmt.value).indices)
        error = None
        if LOADS.get(call_name(stmt.value), 1) > 1:
            return self.names.stand_for(stmt.var, self.expressions.text(stmt.value))
        if is_vector(stmt.var.dtype):
            return self.bind_lanes(stmt.var, stmt.value)
        try:
            value = self.expressions.text(stmt.value)
        except NoCounterpart as raised:
            error = raised  # what uses the variable is not missing
        name = self.names.declare(stmt.var, stmt.var.name)
        if error:
            raise error
        self.line(f"{name}: T.{type_name(stmt.var.dtype)} = {value}", (name, stmt.var.name))

    def bind_lanes(self, var, value):
        """Of a ramp the first lane says where the others are."""
        is_ramp = type(value) is tirx.Ramp and constant(value.stride) is not None
        if is_ramp:
            name = self.names.declare(var, var.name)
            self.line(f"{name}: T.{type_name(value.base.dtype)} = {self.expressions.text(value.base)}", (name, var.name))
            lanes = [f"({name} + {lane * constant(value.stride)})" for lane in range(lanes_in(var.dtype)[1])]
        else:
            lanes = [self.settled(lane, f"{var.name}_{number}", lanes_in(var.dtype)[0])
                     for number, lane in enumerate(self.vectors.lanes(value))]
        self.vectors.bound[hash(var)] = lanes

    def settled(self, text: str, wanted: str, dtype) -> str:
        """A variable that is bound to it, unless it is one or a constant."""
        if is_settled(text):
            return text
        self.facts.held.append(object())
        name = self.names.declare(self.facts.held[-1], wanted)
        self.line(f"{name}: T.{type_name(dtype)} = {text}", (name, wanted))
        return name

    def store_lanes(self, stmt):
        """As a loop over lanes where each reads what no other writes; else all are read first."""
        places, values = self.vectors.places(stmt.buffer, stmt.indices), self.vectors.lanes(stmt.value)
        element, name = lanes_in(stmt.buffer.dtype)[0], self.names.free("lane")
        columns = [rolled(list(column), name) for column in (*zip(*places), values)]
        owner = next((owner for view, owner in self.facts.views if view.same_as(stmt.buffer)), stmt.buffer)
        own = {self.names.find(buffer) for buffer in (owner, *(view for view, of in self.facts.views if of.same_as(owner)))}
        is_apart = not any("[" in text for place in places for text in place) and not own.intersection(words_of(values))
        if is_apart and None not in columns:
            self.line(f"for {name} in T.vectorized(T.span(0, {len(values)})):", (name, "lane"))
            self.text.depth += 1
            self.line(f"{self.expressions.at(stmt.buffer, columns[:-1], True)} = {columns[-1]}")
            self.text.depth -= 1
            return
        read = [([self.read_first(text, "int32") for text in place], self.read_first(value, element))
                for place, value in zip(places, values)]
        for place, value in read:
            self.line(f"{self.expressions.at(stmt.buffer, place, True)} = {value}")

    def read_first(self, text: str, dtype) -> str:
        return self.settled(text, "lane", dtype) if "[" in text else text

    def bind_pointer(self, var, indices):
        """Which of a table it is, is settled here: what the indices read may change."""
        rows = self.facts.tables.rows[hash(var)] = []
        for index in indices:
            rows.append(self.expressions.text(index))
            if constant(index) is None and not isinstance(index, tirx.Var):
                name = self.names.declare((var, len(rows)), "row")
                self.line(f"{name}: T.{type_name(index.dtype)} = {rows[-1]}", (name, "row"))
                rows[-1] = name

    def store(self, stmt):
        update = self.facts.reducers.update_of(stmt)
        if update is not None:
            return self.reducers.update(*update)
        if is_vector(stmt.buffer.dtype) or any(is_vector(index.dtype) for index in stmt.indices):
            return self.store_lanes(stmt)
        value = self.expressions.converted(stmt.value, stmt.buffer.dtype)
        self.line(f"{self.expressions.element(stmt.buffer, stmt.indices)} = {value}")

    def evaluate(self, stmt):
        by_name = {"tvm_thread_allreduce": self.thread_allreduce, "reducer_init": self.reducers.init,
                   "reducer_update": lambda _: self.reducers.update(*self.facts.reducers.update_of(stmt)),
                   "finalize_reducer": self.finalize_reducer, "finalize_reducer_v2": self.finalize_reducer}
        if jumps.jump_of(stmt):
            return self.line(jumps.jump_of(stmt))
        if call_name(stmt.value) in by_name:
            return by_name[call_name(stmt.value)](stmt.value)
        if call_name(stmt.value) in gathers.BY_NAME:
            self.visit(gathers.BY_NAME[call_name(stmt.value)](stmt.value))
        elif type(stmt.value) is tirx.Call and self.result_of(stmt.value) is None:
            self.write_lines(self.operations.lines(stmt.value))
        if call_name(stmt.value) == "fill" and self.facts.reducers.kind(region_of(stmt.value.args[0]).buffer):
            self.reducers.clear(region_of(stmt.value.args[0]).buffer)

    def finalize_reducer(self, call):
        target = self.operations.region(region_of(call.args[1])) if len(call.args) > 1 else None
        self.reducers.finalize(call, target)

    def result_of(self, call) -> str | None:
        """Writes the operation that a call inside of an expression is; what stands for its value."""
        buffer = self.facts.results.by_call.get(hash(call))
        if buffer is None:
            return None
        self.write_lines(self.operations.lines(call))
        name = self.expressions.buffer(buffer)
        return f"{name}[0]" if constant(buffer.shape[0]) == 1 else f"{name}[0:{constant(buffer.shape[0])}]"

    def write_lines(self, lines: list):
        """Each with as many steps in as it starts with."""
        for text in lines:
            steps = (len(text) - len(text.lstrip())) // 4
            self.text.depth += steps
            self.line(text.lstrip())
            self.text.depth -= steps

    def branch(self, stmt):
        self.line(f"if {self.expressions.condition(stmt.condition)}:")
        self.indented(stmt.then_case)
        if stmt.else_case is not None:
            self.text.line("else:")
            self.indented(stmt.else_case)

    # ---- Loops

    def loop(self, stmt):
        if tag_of(stmt).startswith("blockIdx"):
            return self.launch(stmt)
        if tag_of(stmt).startswith("threadIdx"):
            return self.thread_loop(stmt)
        if stmt.kind == tirx.ForKind.PARALLEL:
            return self.parallel(stmt)
        for name in stmt.annotations:
            if name not in (*PIPELINE, *LOOP_HINTS):
                raise NoCounterpart(f"'{name}' of a loop")
        words, kind = self.pipeline_words(stmt.annotations), LOOPS[stmt.kind]
        bounds = f"T.span({self.expressions.text(stmt.min)}, {self.expressions.text(stmt.extent)})"
        name = self.names.declare(stmt.loop_var, stmt.loop_var.name)
        head = f"for {name} in T.{'Pipelined' if words else kind}({', '.join((bounds, *words))}):"
        self.line(head, (name, stmt.loop_var.name))
        self.indented(self.body_of(stmt), stmt.loop_var)

    def endless(self, stmt):
        self.line("while True:")
        self.indented(self.body_of(stmt))

    def body_of(self, loop):
        has_jumps = type(loop) is tirx.While or jumps.depth_of_jumps(loop.body) >= 0
        if has_jumps and type(loop) is tirx.For and loop.kind == tirx.ForKind.VECTORIZED:
            raise NoCounterpart("a jump of T.vectorized")
        return jumps.Jumps(self.facts.skips.get(hash(loop)), self.flat).without(loop) if has_jumps else loop.body

    def pipeline_words(self, annotations):
        stages, order, stage = (annotations.get(name) for name in PIPELINE)
        words = [f"{word}=[{', '.join(str(constant(number)) for number in numbers)}]"
                 for word, numbers in (("order", order), ("stage", stage)) if numbers]
        stages = constant(stages) or 0
        return [f"num_stages={stages}", *words] if stages or words else []

    def parallel(self, stmt):
        loops, words = nest_of(stmt), []
        if jumps.depth_of_jumps(loops[-1].body) >= 0:
            raise NoCounterpart("a jump of T.Parallel")
        for name, value in ((name, value) for loop in loops for name, value in loop.annotations.items()):
            if name == "coalesced_width":
                words.append(f"coalesced_width={constant(value)}")
            elif name == "parallel_loop_layout":
                words += loop_words(value)
            elif name not in LOOP_HINTS:
                raise NoCounterpart(f"'{name}' of T.Parallel")
        extents = [self.expressions.text(loop.extent) for loop in loops]
        names = [self.names.declare(loop.loop_var, loop.loop_var.name) for loop in loops]
        self.line(f"for {', '.join(names)} in T.Parallel({', '.join((*extents, *words))}):",
                  *((name, loop.loop_var.name) for name, loop in zip(names, loops)))
        self.indented(loops[-1].body, *(loop.loop_var for loop in loops))

    # ---- Launches

    def launch(self, stmt):
        loops = [stmt]
        while tag_of(loops[-1].body).startswith("blockIdx"):
            loops.append(loops[-1].body)
        self.threads = find(stmt, threads_of) or [128]
        self.operations.threads = math.prod(self.threads)
        raster, words = find(stmt, raster_of), [f"threads={math.prod(self.threads)}"]
        if raster is not None:
            function, panel = raster[0].value, constant(raster[1])
            if function not in RASTERS:
                raise NoCounterpart(f"'{function}' of T.use_swizzle")
            words += filter(None, [f"raster_panel={panel}", RASTERS[function]])
        min_blocks = find(stmt, min_blocks_of)
        if min_blocks is not None:
            words.append(f"min_blocks={min_blocks}")
        cluster = find(stmt, cluster_of)
        if cluster is not None and math.prod(cluster) != 1:
            words.append(f"cluster_dims={[*cluster, 1, 1][:3]}")
        extents = [self.expressions.text(loop.extent) for loop in loops]
        wanted = [*(loop.loop_var.name for loop in loops), "tx"]
        names = [self.names.declare(loop.loop_var, loop.loop_var.name) for loop in loops]
        thread = tirx.Var("tx", "int32")
        names.append(self.names.declare(thread, "tx"))
        self.thread = self.expressions.thread = names[-1]
        self.expressions.rank = rank_of(names[:-1], cluster or [])
        self.line(f"with T.Kernel({', '.join((*extents, *words))}) as ({', '.join(names)}):", *zip(names, wanted))
        self.is_launched = True
        self.indented(loops[-1].body, thread, *(loop.loop_var for loop in loops))
        self.is_launched = False

    def launch_of_one(self, stmt):
        self.threads = [constant(extent) for extent in stmt.block.annotations["tl.launch_threads"]]
        self.operations.threads = math.prod(self.threads)
        block, thread = tirx.Var("bx", "int32"), tirx.Var("tx", "int32")
        names = [self.names.declare(var, var.name) for var in (block, thread)]
        self.thread, self.is_launched = names[-1], True
        self.line(f"with T.Kernel(1, threads={math.prod(self.threads)}) as ({', '.join(names)}):", *zip(names, ("bx", "tx")))
        inside = tirx.SeqStmt([*stmt.binds, stmt.block.body]) if stmt.binds else stmt.block.body
        self.visit(stmt.block)
        self.indented(inside, thread, block)
        self.is_launched = False

    def bind_thread(self, var, axis: int):
        index = self.thread_index(axis)
        if not index.startswith("("):
            self.names.stand_for(var, index)
        elif hash(var) in self.facts.used:
            name = self.names.declare(var, var.name)
            self.line(f"{name}: T.int32 = {index}", (name, var.name))

    def thread_index(self, axis: int) -> str:
        """Our block has one thread axis, of which theirs are digits, x fastest."""
        if axis >= len(self.threads) or self.threads[axis] == 1:
            return "0"
        below = math.prod(self.threads[:axis])
        index = f"({self.thread} // {below})" if below > 1 else self.thread
        is_outermost = all(extent == 1 for extent in self.threads[axis + 1:])
        return index if is_outermost else f"({index} % {self.threads[axis]})"

    def thread_loop(self, stmt):
        """The index along an axis whose extent is said again."""
        axis = "xyz".index(tag_of(stmt)[-1])
        if constant(stmt.min) != 0 or constant(stmt.extent) != (*self.threads, 1, 1)[axis]:
            raise NoCounterpart("T.thread_binding of some threads")
        self.bind_thread(stmt.loop_var, axis)
        for inner in self.flat(stmt.body):
            self.visit(inner)
