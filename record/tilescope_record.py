"""Records what TileLang's own compiler does, as a trace that Tilescope opens.

    python -m tilescope_record gemm.py:matmul --set M=1024 --set N=1024 --target sm_80 -o gemm.trace

    import tilescope_record
    with tilescope_record.recording("gemm.trace"):
        kernel = matmul(1024, 1024, 1024)

While TileLang lowers, references to the functions after each pass are held and nothing else is done: they are immutable,
so they are printed and walked when it is over, and what is compiled cannot depend on it. Buffers, accesses and offsets
come from TVM's objects. The printed text is for display and nothing is read from it. Lifetimes, plans and verdicts are
Tilescope's to compute from these records. Format: core/trace_file/README.md.
"""

import argparse
import ast
import collections
import contextlib
import dataclasses
import difflib
import functools
import gc
import itertools
import json
import math
import os
import pathlib
import sys
import time
import types

import numpy
import tilelang
from tilelang import instrumentation, tvm
from tilelang import ir as tilelang_ir
from tvm import tirx
from tvm.tirx.analysis import undefined_vars

MAJOR, MINOR = 1, 5
FULL_SNAPSHOT_EVERY = 32
# Marks the lines of statements while a program is printed; the marks are taken off again.
MARK = "tilescope-statement-"
# Elements of one statement, over all threads and inner loops, beyond which its extent is not worked out.
MAX_ELEMENTS = 1 << 22


# ---- While TileLang compiles ---------------------------------------------------------------------

@dataclasses.dataclass
class Step:
    """One pass that ran. The functions are by name, as the pass took and left them; `after` is None if it failed."""

    name: str
    depth: int
    before: dict
    began: float
    after: dict | None = None
    ended: float = 0.0


# A module may be changed in place, so its functions are held.
def functions_of(module):
    return {name.name_hint: (name, function) for name, function in module.functions.items()}


@tvm.ir.instrument.pass_instrument
class HoldFunctions:
    def __init__(self, compile_):
        self.compile = compile_

    def run_before_pass(self, module, info):
        step = Step(str(info.name), len(self.compile.open), functions_of(module), time.perf_counter())
        self.compile.open.append(step)
        self.compile.steps.append(("begin", step))

    def run_after_pass(self, module, info):
        if not self.compile.open:
            return
        step = self.compile.open.pop()
        step.ended = time.perf_counter()
        step.after = functions_of(module)
        self.compile.steps.append(("end", step))


class Compile(instrumentation.PassInstrumentationTool):
    """All that is held of one compile: its passes in order, nested ones inside, and the emitted module."""

    def __init__(self):
        self.open, self.steps = [], []
        self.emitted = self.target = self.kernels = self.error = None
        self.emit_seconds = 0.0

    def create_pass_instrument(self):
        return HoldFunctions(self)

    def run_codegen(self, event, next_call):
        began = time.perf_counter()
        module = next_call()
        if event.target.kind.name == "cuda":
            self.emit_seconds = time.perf_counter() - began
            self.emitted, self.target, self.kernels = module, event.target, functions_of(event.mod)
        return module

    def finish(self, error):
        self.error = error


@contextlib.contextmanager
def recording(path, file="", parameters=()):
    """Records every compile in the block; the second goes to `NAME-2.trace`, and so on. Written when the block ends."""
    # Found out now: a compile may take long.
    with output(path):
        pass
    compiles = []

    def begin():
        compiles.append(Compile())
        return compiles[-1]

    instrumentation.register_pass_instrumentation_tool("tilescope-record", begin)
    try:
        yield compiles
    finally:
        instrumentation.unregister_pass_instrumentation_tool("tilescope-record")
        done = [compile_ for compile_ in compiles if compile_.steps]
        path = pathlib.Path(path)
        for number, compile_ in enumerate(done, 1):
            beside = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
            write_trace(beside, compile_, file, parameters)
    if not done:
        print("tilescope_record: nothing was compiled; a kernel that TileLang finds in its cache is not "
              "(TILELANG_DISABLE_CACHE=1)", file=sys.stderr)


# ---- Expressions as numbers ----------------------------------------------------------------------

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

    def __init__(self, bound, ranges):
        self.bound = bound  # by variable: the expression that it stands for
        self.ranges = ranges  # by variable: (begin, extent)
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
        if kind is tirx.Not:
            return numpy.logical_not(self.of(expr.a))
        if call_name(expr) in BY_CALL:
            return BY_CALL[call_name(expr)](self.of(expr.args[0]), self.of(expr.args[1]))
        if kind is tirx.Ramp and constant(expr.lanes):
            lanes = self.axis(("lanes", expr.lanes.value), 0, expr.lanes.value)
            return self.of(expr.base) + self.of(expr.stride) * lanes
        raise NotKnown


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


# ---- Buffers -------------------------------------------------------------------------------------

@dataclasses.dataclass
class Buffer:
    """What is known of a buffer after the pass that is looked at; it is the same buffer after all passes."""

    id: int
    name: str
    ordinal: int
    scope: str = ""
    dtype: str = ""
    shape: list = dataclasses.field(default_factory=list)
    versions: int = 1
    line: int = 0
    offset: int | None = None
    bytes: int | None = None  # of all versions

    def is_shared(self):
        return self.scope in ("shared", "shared.dyn")

    def record(self, function):
        key = {"function": function, "name": self.name, **({"ordinal": self.ordinal} if self.ordinal else {})}
        record = {"id": self.id, "key": key, "name": self.name, "dtype": self.dtype,
                  "shape": [str(extent) for extent in self.shape], "scope": self.scope, "versions": self.versions}
        span = [self.line, 1, self.line, 1] if self.line else None
        known = {"sizeBytes": self.bytes, "offsetBytes": self.offset, "span": span}
        return record | {name: value for name, value in known.items() if value is not None}


@functools.lru_cache(maxsize=None)
def bits_of(dtype):
    dtype = tvm.DataType(str(dtype))
    return dtype.bits * dtype.lanes


def bounds_of(loop):
    """{variable: (begin, extent)}, as far as they are constant."""
    if type(loop) is tirx.While:
        return {hash(loop): (None, None)}
    return {hash(loop.loop_var): (constant(loop.min), constant(loop.extent))}


def mbarriers_of(call):
    """Those that a call is given."""
    given = call.args[:] + ([call.annotations["barrier"]] if "barrier" in call.annotations else [])
    return [expr for expr in given if type(expr) is tirx.BufferLoad and expr.buffer.scope() == "shared.barrier"]


def box_bytes(descriptor):
    """create_tma_descriptor(type, rank, data, shape, strides in bytes, box, ...); None: not known."""
    rank = constant(descriptor.args[1])
    sizes = rank and constants(descriptor.args[3 + rank:3 + 3 * rank])
    return math.prod(sizes[rank:]) * sizes[0] if sizes else None


def given(*parts):
    return [part for part in parts if part is not None]


# By kind of statement: those inside, and the expression that it is about.
PARTS = {
    tirx.SeqStmt: lambda stmt: (stmt.seq[:], None),  # a slice is a list, and faster than list()
    tirx.SBlockRealize: lambda stmt: ([stmt.block], None),
    tirx.SBlock: lambda stmt: (given(stmt.init, stmt.body), None),
    tirx.AttrStmt: lambda stmt: ([stmt.body], None),
    tirx.For: lambda stmt: ([stmt.body], stmt.extent),
    tirx.While: lambda stmt: ([stmt.body], stmt.condition),
    tirx.IfThenElse: lambda stmt: (given(stmt.then_case, stmt.else_case), stmt.condition),
    tirx.BufferStore: lambda stmt: ([], stmt.value),
    tirx.Evaluate: lambda stmt: ([], stmt.value),
    tirx.Bind: lambda stmt: ([], stmt.value),
    tirx.AssertStmt: lambda stmt: ([], stmt.condition),
}


LEAVES_LOOP = ("break", "continue_loop")


@functools.lru_cache(maxsize=None)
def is_sync(name):
    """Whether threads meet, copies end or a loop is left in an operation."""
    words = ("barrier", "commit", "wait", "sync", "fence", "arrive", *LEAVES_LOOP)
    return not name.endswith("cp_async") and any(word in name for word in words)


PART_OF_ARENA = "tirx.handle_add_byte_offset"
# A buffer as the program declares it; `data` is its variable.
Declaration = collections.namedtuple("Declaration", "data name scope dtype shape span")
# What a statement says, wherever it stands: its parts, the operation that it calls, the buffers that are declared here and
# inside, the parts of arenas that have a variable as (variable, name, arena, offset), and whether threads meet or copies
# end, here or inside.
Facts = collections.namedtuple("Facts", "children head name declared aliases is_sync")
class Known:
    """What is known of objects of TVM, which passes share, so that each is looked at once."""

    def __init__(self):
        for look in (self.facts, self.declaration, self.variables, self.own_variables, self.all_variables):
            setattr(self, look.__name__, functools.cache(look))
        # These know objects by their address: they must live as long as this.
        self.touches = {}  # by statement and shared variables
        self.slots = {}  # by all that they depend on
        self.boxes = {}  # bytes that a copy through a descriptor moves, by its variable and by its name
        self.chains = {}  # numbers of sequences of variables: (number of those before, variable, value): number

    def facts(self, stmt):
        kind = type(stmt)
        children, head = PARTS[kind](stmt) if kind in PARTS else ([], None)
        name, declared, aliases = call_name(head), [], []
        if kind is tirx.SBlock:
            declared += map(self.declaration, stmt.alloc_buffers[:])
        elif kind is tirx.AllocBuffer:
            declared.append(self.declaration(stmt.buffer))
        elif kind is tirx.Bind and name == PART_OF_ARENA:
            aliases.append((hash(stmt.var), stmt.var.name, hash(stmt.value.args[0]), constant(stmt.value.args[1])))
        synchronises = is_sync(name)
        for inner in map(self.facts, children):
            declared += inner.declared
            aliases += inner.aliases
            synchronises |= inner.is_sync
        return Facts(children, head, name, declared, aliases, synchronises)

    def statements(self, stmt):
        for child in self.facts(stmt).children:
            yield from self.statements(child)
        yield stmt

    def declaration(self, buffer):
        shape = [constant(extent) if constant(extent) is not None else str(extent) for extent in buffer.shape[:]]
        return Declaration(hash(buffer.data), buffer.name, buffer.scope(), str(buffer.dtype), shape,
                           tilelang_ir.get_buffer_span(buffer))

    def variables(self, expr):
        return frozenset() if type(expr) in CONSTANTS else frozenset(map(hash, undefined_vars(expr)[:]))

    def own_variables(self, stmt):
        """In the expressions that stand in a statement."""
        head = self.facts(stmt).head
        own = self.variables(head) if isinstance(head, tvm.ir.PrimExpr) else frozenset()
        if type(stmt) is tirx.BufferStore:
            own = own.union((hash(stmt.buffer.data),), *map(self.variables, stmt.indices[:]))
        return own

    def all_variables(self, stmt):
        """And in what is inside."""
        return self.own_variables(stmt).union(*map(self.all_variables, self.facts(stmt).children))


@functools.lru_cache(maxsize=None)
def real_path(name):
    return os.path.realpath(name) if os.path.isfile(name) else None


class Buffers:
    """The buffers of the program, pass by pass. One is known by the variable that holds its data; where a pass gave it
    another variable, by its name among those whose variables are gone."""

    def __init__(self, function):
        self.function, self.file = function, None
        self.known, self.all, self.by_data = Known(), [], {}
        self.shared = {}  # of by_data
        self.now = []  # of the program after the pass that is looked at
        self.found = None  # what declares them
        self.is_merged = False

    def look_at(self, functions):
        found, aliases = [], []
        for _, function in functions.values():
            found += map(self.known.declaration, function.buffer_map.values())
            facts = self.known.facts(function.body)
            found += facts.declared
            aliases += facts.aliases
        if self.found == (found, aliases):
            return
        self.found = (found, aliases)
        arenas = {base for _, _, base, _ in aliases}
        found = [declared for declared in found if declared.data not in arenas]
        present = {declared.data for declared in found} | {data for data, *_ in aliases}
        stay = {self.by_data[data].id for data in present if data in self.by_data}
        gone = [buffer for buffer in self.now if buffer.id not in stay]
        # Tensors stay, though their handles are unpacked by hand once the function is split off.
        self.now = [buffer for buffer in gone if buffer.scope == "global"]
        for declared in found:
            self.describe(self.take(declared.data, declared.name, declared.scope, gone), declared)
        for data, name, _, offset in aliases:
            self.take(data, name, "shared.dyn", gone).offset = offset
        self.now.sort(key=lambda buffer: buffer.id)
        self.shared = {data: buffer for data, buffer in self.by_data.items() if buffer.is_shared()}

    def declares_shared(self, stmt):
        facts = self.known.facts(stmt)
        return any(data in self.shared for data, *_ in facts.declared + facts.aliases)

    def take(self, data, name, scope, gone):
        buffer = self.by_data.get(data)
        if buffer is None:
            buffer = next((b for b in gone if b.name == name and b.scope == scope), None)
            if buffer is not None:
                gone.remove(buffer)
            else:
                buffer = Buffer(len(self.all), name, sum(b.name == name for b in self.all))
                self.all.append(buffer)
            self.by_data[data] = buffer
        if not any(b is buffer for b in self.now):
            self.now.append(buffer)
        return buffer

    def describe(self, buffer, declared):
        shape = declared.shape
        was_seen = bool(buffer.dtype)
        if was_seen and buffer.is_shared() and buffer.versions == 1 and shape[1:] == buffer.shape and constant(shape[0]):
            buffer.versions = shape[0]  # the one way in which their pipeline gives a buffer versions
        if buffer.versions > 1 and constants(shape):
            shape = shape[1:] if shape[0] == buffer.versions else [math.prod(shape) // buffer.versions]
        buffer.shape, buffer.scope, buffer.dtype = shape, declared.scope, declared.dtype
        buffer.line = self.line_of(declared.span) or buffer.line
        extents = constants(shape)
        buffer.bytes = None if extents is None else math.prod(extents) * bits_of(buffer.dtype) // 8 * buffer.versions

    def find_file(self, function):
        """Where the buffers of a kernel are declared."""
        spans = (declared.span for declared in self.known.facts(function.body).declared if declared.span is not None)
        return next(filter(real_path, (str(span.source_name.name) for span in spans)), "")

    def line_of(self, span):
        """In the kernel file; 0 elsewhere."""
        return span.line if span is not None and real_path(str(span.source_name.name)) == self.file else 0


# ---- Accesses ------------------------------------------------------------------------------------

# What accesses do not say, by words in the names of operations: with any of these the checks establish nothing.
NOT_FOLLOWED = (
    ("tma_", "when copies by TMA arrive"),
    ("wgmma", "when wgmma has read its operands"),
    ("tcgen05", "what tcgen05 operations touch"),
    *((word, "which iterations are left early") for word in LEAVES_LOOP),
)
TMA_LOADS = ("tma_load", "tma_load_im2col", "tma_copy")
FOLLOWED = (*TMA_LOADS, "tma_store", "tma_store_arrive", "tma_store_wait", "create_tma_descriptor",
            "prefetch_tma_descriptor", "initialize_wgmma_descriptor", "ptx_wgmma_ss", "ptx_wgmma_rs", "wait_wgmma")


@functools.lru_cache(maxsize=None)
def not_followed(name):
    """What is not said of an operation."""
    is_known = name.rpartition(".")[2] in FOLLOWED
    return frozenset(what for word, what in NOT_FOLLOWED if word in name and not is_known)


# The queues of asynchronous work, each with groups of its own. What an mbarrier counts goes through none.
COPIES, WGMMA, BULK_STORES = "copies", "wgmma", "bulk stores"
COMMITS = {"ptx_commit_group": COPIES, "warpgroup_commit_batch": WGMMA, "tma_store_arrive": BULK_STORES}
WAITS = {"ptx_wait_group": COPIES, "warpgroup_wait": WGMMA, "wait_wgmma": WGMMA, "tma_store_wait": BULK_STORES}
MBARRIER_OPERATIONS = ("mbarrier_wait_parity", "mbarrier_expect_tx", "ptx_arrive_barrier", "ptx_arrive_barrier_expect_tx")
POINTERS = ("tl.access_ptr", "tirx.tvm_access_ptr", "tirx.address_of")
ANY = "any"  # an mbarrier that is not known


@dataclasses.dataclass(eq=False)
class Touch:
    """One access as it stands in the program. Elements: the sum of `terms` [(expression, factor)], and of a number
    of each of `spans` [(count, step)]; None: not known."""

    buffer: Buffer
    is_write: bool
    terms: list | None = None
    spans: tuple = ()
    dtype: str = ""
    is_exact: bool = True  # of a write: it writes all of these elements
    queue: object = None  # that it goes through; None: it is not asynchronous, or an mbarrier counts it
    mbarrier: object = None  # the expression of the one that counts it, or ANY
    moved: int = 0  # bytes that the mbarrier counts; 0: not known
    is_atomic: bool = False
    loops: dict = dataclasses.field(default_factory=dict)  # inside its leaf: variable: (begin, extent)
    conditions: tuple = ()  # (expression, whether it holds)


class Program:
    """The AccessProgram of one function."""

    def __init__(self, function, buffers):
        self.buffers, self.known = buffers, buffers.known
        self.nodes, self.places, self.not_followed = [], [], set()
        self.queues = {COPIES: 0}  # their numbers
        self.descriptors = {}  # by variable: what wgmma reads through it
        self.body = function.body
        self.mbarriers, self.first_of = [], {}  # all, and of each array the number of its first
        self.starting = set()  # mbarriers whose start no barrier of the block has followed yet
        # Which threads of a lane do what is visited: 1: one, the same always; None: some; 0: all.
        self.doers, self.lane = 0, 0
        self.threads, self.bound = {}, {}
        self.chain = 0  # stands for the variables so far: threads, loops and what is bound
        self.outer = {}  # loops that were entered: variable: (begin, node)
        self.loops = {}  # around what is visited: variable: (begin, extent)
        self.touched = {}
        self.conditions = []  # around what is visited: (expression, whether it holds)
        self.inexact = set()  # buffers of which a write may define more than is known
        self.is_divided = False
        self.root = self.add({"kind": "seq"}, None, ())
        self.nodes[self.root]["children"] = self.visit(self.body)

    def add(self, node, stmt, signature):
        if self.doers == 1 and node["kind"] not in ("seq", "loop", "if", "roles"):
            node["oneThread"] = True
        self.nodes.append(node)
        self.places.append((stmt, (node["kind"], *signature)))
        return len(self.nodes) - 1

    def shared(self, var):
        return self.buffers.shared.get(hash(var))

    def has_shared(self, expr):
        return not self.buffers.shared.keys().isdisjoint(self.known.variables(expr))

    # ---- Statements

    def visit(self, stmt):
        kind, facts = type(stmt), self.known.facts(stmt)
        if kind is tirx.SBlock:
            self.initialise(stmt)
        if kind in (tirx.SeqStmt, tirx.SBlockRealize, tirx.SBlock):
            return [node for child in facts.children for node in self.visit(child)]
        if kind is tirx.AttrStmt:
            self.attribute(stmt)
            return self.visit(stmt.body)
        if kind is tirx.Bind:
            self.bind(stmt)
            if facts.name == PART_OF_ARENA:
                return []
        if kind in (tirx.For, tirx.While, tirx.IfThenElse):
            concerns = facts.is_sync or self.may_touch(self.known.all_variables(stmt))
            return self.control(stmt, facts.is_sync) if concerns else []
        if kind is tirx.Evaluate and facts.name:
            sync = self.synchronisation(stmt) if facts.is_sync else None
            if sync is not None:
                return sync
        if kind in (tirx.Evaluate, tirx.BufferStore, tirx.Bind, tirx.AssertStmt):
            return self.leaf(stmt, self.touches_of(stmt))
        return []

    def may_touch(self, variables):
        return not (self.buffers.shared.keys().isdisjoint(variables) and self.descriptors.keys().isdisjoint(variables))

    def bind(self, stmt):
        self.bound[hash(stmt.var)] = stmt.value
        self.remember(stmt.var, stmt.value)

    def remember(self, variable, value):
        chains = self.known.chains
        self.chain = chains.setdefault((self.chain, hash(variable), hash(value)), len(chains) + 1)

    def attribute(self, stmt):
        if stmt.attr_key == "thread_extent" and stmt.node.thread_tag.startswith("threadIdx"):
            self.threads[hash(stmt.node.var)] = (0, constant(stmt.value) or 1)
            self.remember(stmt.node.var, stmt.value)
        if stmt.attr_key == "kWarpSpecializationScope":
            self.is_divided = True

    def control(self, stmt, is_sync):
        if type(stmt) is not tirx.While and not is_sync:
            touches = self.group(stmt)
            if touches is not None:
                return self.leaf(stmt, touches)
        if type(stmt) is tirx.IfThenElse:
            return self.choice(stmt)
        extent = None if type(stmt) is tirx.While else constant(stmt.extent)
        node = {"kind": "loop", "minTrips": extent or 0} | ({} if extent is None else {"maxTrips": extent})
        index = self.add(node, stmt, ())
        self.loops |= bounds_of(stmt)
        if type(stmt) is tirx.For:
            self.outer[hash(stmt.loop_var)] = (constant(stmt.min), index)
            self.remember(stmt.loop_var, stmt.min)
        children = self.leaf(stmt, self.reads_of(self.known.facts(stmt).head)) + self.visit(stmt.body)
        self.loops.popitem()
        node["children"] = [self.sequence(children)]
        return [index]

    def choice(self, stmt):
        is_elect = "elect" in call_name(stmt.condition)
        if is_elect and stmt.else_case is None:
            return self.elected(stmt)
        has_roles = self.is_divided and stmt.else_case is not None
        node = {"kind": "roles" if has_roles else "if"}
        index = self.add(node, stmt, ())
        lanes = [0, 0]
        if has_roles:
            self.is_divided = False
            lanes = node["laneThreads"] = self.threads_of(stmt.condition)
        elif is_elect or any(hash(var) in self.threads for var in undefined_vars(stmt.condition)):
            node["isDivergent"] = True
        else:
            node |= self.iterations_of(stmt.condition)
        before, children = (self.doers, self.lane), []
        for case, holds, threads in zip(self.known.facts(stmt).children, (True, False), lanes):
            if has_roles:
                self.doers, self.lane = 0, threads
            elif "isDivergent" in node:
                self.doers = None
            self.conditions.append((stmt.condition, holds))
            children.append(self.sequence(self.visit(case)))
            self.conditions.pop()
            self.doers, self.lane = before
        node["children"] = children
        return self.leaf(stmt, self.reads_of(stmt.condition)) + [index]

    def elected(self, stmt):
        """One thread of every so many does it, whichever that is. The argument 0: of the block, in its first warp."""
        group = constant(stmt.condition.args[0]) if len(stmt.condition.args) else None
        threads = self.lane or self.block_threads()
        is_one = group == threads or (group == 0 and not self.lane)
        before, self.doers = self.doers, 1 if self.doers == 0 and is_one else None
        self.conditions.append((stmt.condition, True))
        children = self.visit(stmt.then_case)
        self.conditions.pop()
        self.doers = before
        return children

    def is_elected(self, more=()):
        return any("elect" in call_name(condition) and holds for condition, holds in (*self.conditions, *more))

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

    def iterations_of(self, condition):
        """In which iterations of the one loop that it depends on it holds, if they follow each other."""
        variables = [hash(var) for var in undefined_vars(condition)]
        if len(variables) != 1 or None in self.loops.get(variables[0], (None,)):
            return {}
        try:
            holds = numpy.asarray(Grid(self.bound, self.loops).of(condition)).astype(bool).ravel()
        except NotKnown:
            return {}
        where = numpy.flatnonzero(holds)
        if where.size != holds.size and where.size and int(where[-1] - where[0]) + 1 != where.size:
            return {}
        begin, end = (int(where[0]), int(where[-1]) + 1) if where.size else (0, 0)
        return {"rangeLoop": self.outer[variables[0]][1], "rangeBegin": begin, "rangeEnd": end}

    # ---- Mbarriers
    #
    # What the program says: which one, how often, how many bytes, which parity. What follows from that is not asked here.

    def number_of(self, buffer):
        """Of the first mbarrier of an array."""
        first = self.first_of.get(hash(buffer.data))
        if first is None:
            first = self.first_of[hash(buffer.data)] = len(self.mbarriers)
            self.mbarriers += [{"name": f"{buffer.name}[{i}]"} for i in range(constant(buffer.shape[0]) or 0)]
        return first

    def initialise(self, block):
        for data, counts in dict(block.annotations.get("barrier_init", {})).items():
            buffer = next((b for b in block.alloc_buffers if b.data.same_as(data)), None)
            for index, count in enumerate(counts if buffer is not None else ()):
                self.declare(self.number_of(buffer) + index, count)

    def declare(self, number, count):
        """One that is initialised more than once begins anew, nobody knows when."""
        if number < len(self.mbarriers):
            is_first = "arrivals" not in self.mbarriers[number] and not self.loops
            self.mbarriers[number]["arrivals"] = constant(count) or 0 if is_first else 0

    def mbarrier_ref(self, given):
        """{first, modulus, counter} of an element of an array of mbarriers."""
        if given is ANY:
            return {"modulus": 0}
        first, index = self.number_of(given.buffer), given.indices[0]
        rest = [(term, factor) for term, factor in summands(index) if constant(term) is None]
        first += sum(constant(term) * factor for term, factor in summands(index) if constant(term) is not None)
        if not rest:
            return {"first": first}
        with contextlib.suppress(NotKnown):
            if len(rest) == 1 and rest[0][1] == 1:
                value, modulus = remainder(rest[0][0])
                return {"first": first, "modulus": modulus, "counter": self.counter(value)}
        first, count = self.number_of(given.buffer), constant(given.buffer.shape[0])
        with contextlib.suppress(NotKnown):
            if count:
                return {"first": first, "modulus": count, "counter": self.counter(index)}
        return {"modulus": 0}

    def numbers_of(self, ref):
        return [n for n in range(len(self.mbarriers)) if "modulus" in ref or n == ref["first"]]

    def used_mbarrier(self, given):
        """Its mbarrier_ref. Of one that is not sure to have been started before, nobody knows what it counts."""
        ref = self.mbarrier_ref(given)
        for number in self.numbers_of(ref):
            if number in self.starting or "arrivals" not in self.mbarriers[number]:
                self.declare(number, 0)
        return ref

    def counter(self, expr):
        """{offset, terms} of a sum of what counts the iterations of loops around."""
        offset, terms = 0, []
        for term, factor in summands(self.plain(expr)):
            begin, loop = self.outer.get(hash(term), (None, None))
            if constant(term) is not None:
                offset += constant(term) * factor
            elif hash(term) in self.loops and begin is not None:
                offset += begin * factor
                terms.append({"loop": loop, "step": factor})
            else:
                raise NotKnown
        return {"offset": offset, "terms": terms}

    def plain(self, expr):
        while (type(expr) is tirx.Cast and "int" in str(expr.dtype)) or hash(expr) in self.bound:
            expr = self.bound[hash(expr)] if hash(expr) in self.bound else expr.value
        return expr

    def parity(self, expr):
        """{counter, divisor}: (counter / divisor) mod 2 is what the expression is modulo 2."""
        expr = self.plain(expr)
        kind, name = type(expr), call_name(expr)
        if kind in (tirx.Add, tirx.Sub) and constant(expr.b) is not None:
            return self.later(self.parity(expr.a), constant(expr.b))
        if kind is tirx.Sub and constant(expr.a) is not None:
            return self.later(self.parity(expr.b), constant(expr.a))
        if name == "tirx.bitwise_xor" and constant(expr.args[1]) is not None:
            return self.later(self.parity(expr.args[0]), constant(expr.args[1]))
        if kind in (tirx.FloorMod, tirx.Mod) or name == "tirx.bitwise_and":
            value, modulus = remainder(expr)
            if modulus % 2 == 0:
                return self.parity(value)
        if kind in (tirx.FloorDiv, tirx.Div) and constant(expr.b):
            return self.divided(expr.a, constant(expr.b))
        if name == "tirx.shift_right" and constant(expr.args[1]) is not None:
            return self.divided(expr.args[0], 1 << constant(expr.args[1]))
        return {"counter": self.counter(expr), "divisor": 1}

    @staticmethod
    def later(parity, phases):
        """That of some phases later."""
        counter = parity["counter"] | {"offset": parity["counter"]["offset"] + phases % 2 * parity["divisor"]}
        return parity | {"counter": counter}

    def divided(self, expr, divisor):
        expr = self.plain(expr)
        if type(expr) in (tirx.FloorMod, tirx.Mod) or call_name(expr) == "tirx.bitwise_and":
            value, modulus = remainder(expr)
            if modulus % (2 * divisor) == 0:
                return self.divided(value, divisor)
        return {"counter": self.counter(expr), "divisor": divisor}

    def at_mbarrier(self, stmt, name):
        """The nodes of an operation on mbarriers; None: it is none."""
        call = stmt.value
        given = mbarriers_of(call)
        if name == "ptx_init_barrier_thread_count":
            for barrier in given:
                for number in self.numbers_of(self.mbarrier_ref(barrier)):
                    self.declare(number, call.args[1])
                    self.starting.add(number)
            return []
        if not given and name not in MBARRIER_OPERATIONS:
            return None
        ref = {"mbarrier": self.used_mbarrier(given[0] if len(given) == 1 else ANY)}
        if name == "mbarrier_wait_parity":
            return [self.add({"kind": "waitPhase", **ref, "parity": self.known_parity(call.args[1])}, stmt, ())]
        nodes = []
        if name in ("mbarrier_expect_tx", "ptx_arrive_barrier_expect_tx"):
            bytes_ = constant(call.args[1]) if self.doers == 1 else None
            nodes.append(self.add({"kind": "expect", **ref, "bytes": bytes_ or 0}, stmt, ()))
        if name != "mbarrier_expect_tx":
            # Others arrive in ways that are not known.
            is_plain = name == "ptx_arrive_barrier_expect_tx" or (name == "ptx_arrive_barrier" and len(call.args) == 1)
            count = 1 if is_plain and self.doers is not None else 0
            nodes.append(self.add({"kind": "arrive", **ref, "count": count}, stmt, ()))
        return nodes

    def known_parity(self, expr):
        try:
            return self.parity(expr) if self.doers is not None else {"divisor": 0}
        except NotKnown:
            return {"divisor": 0}

    def sequence(self, children):
        return self.add({"kind": "seq", "children": children}, None, ())

    # None: the statement is no synchronisation. What has no node of its own gives none.
    def synchronisation(self, stmt):
        name, args = call_name(stmt.value).rpartition(".")[2], stmt.value.args
        if name in (*COMMITS, *WAITS) and self.doers is None and self.is_elected():
            return []  # of one thread of several groups each: nothing is waited for by all
        if name in COMMITS:
            return [self.add({"kind": "commit", **self.queued(COMMITS[name])}, stmt, (COMMITS[name],))]
        if name in WAITS:
            pending = constant(args[0])
            return [] if pending is None else [self.wait(WAITS[name], pending, stmt)]
        if name == "fence_proxy_async":
            return [self.add({"kind": "proxyFence"}, stmt, ())] if self.doers is not None else []
        if name == "tvm_storage_sync" and len(args) > 1:
            known = {"barrierId": constant(args[1]) or 0, "threads": constant(args[2]) or 0} if len(args) > 2 else {}
            return [self.add({"kind": "namedBarrier", **(known if self.doers is not None else {})}, stmt, ())]
        if name == "tvm_storage_sync":
            scope = "warp" if args[0].value == "warp" else "block"
            if scope == "block" and self.doers == 0 and not self.conditions and not self.loops:
                self.starting.clear()
            return [self.add({"kind": "barrier", "scope": scope}, stmt, (scope,))]
        return self.at_mbarrier(stmt, name)

    def queued(self, queue):
        number = self.queues.setdefault(queue, len(self.queues))
        return {"queue": number} if number else {}

    def wait(self, queue, pending, stmt):
        return self.add({"kind": "wait", "pending": pending, **self.queued(queue)}, stmt, ("wait", queue))

    # ---- Leaves

    def group(self, stmt):
        """What a loop nest or a condition touches, if it can be one leaf: no buffer is both read and written."""
        touches = []
        if not self.gather(stmt, {}, (), touches):
            return None
        read = {touch.buffer.id for touch in touches if not touch.is_write}
        written = {touch.buffer.id for touch in touches if touch.is_write}
        return None if read & written else touches

    def gather(self, stmt, loops, conditions, touches):
        kind, inner = type(stmt), self.known.facts(stmt).children
        if kind is tirx.For:
            begin, extent = constant(stmt.min), constant(stmt.extent)
            if begin is None or not extent:
                return False
            touches += self.reads_of(stmt.extent)
            return self.gather(stmt.body, {**loops, hash(stmt.loop_var): (begin, extent)}, conditions, touches)
        if kind is tirx.IfThenElse:
            touches += self.reads_of(stmt.condition)
            return all(self.gather(case, loops, (*conditions, (stmt.condition, holds)), touches)
                       for case, holds in zip(inner, (True, False)))
        if kind is tirx.While:
            return False
        if kind is tirx.Bind:
            self.bind(stmt)
        if kind is tirx.AttrStmt:
            self.attribute(stmt)
        if inner:
            return all(self.gather(child, loops, conditions, touches) for child in inner)
        touches += [dataclasses.replace(touch, loops=loops, conditions=conditions) for touch in self.touches_of(stmt)]
        return True

    def touches_of(self, stmt):
        """Of a statement that has none inside."""
        own, name, touches = self.known.own_variables(stmt), self.known.facts(stmt).name, []
        self.not_followed |= not_followed(name)
        if not self.may_touch(own):
            return []
        if not self.buffers.shared.keys().isdisjoint(own):
            key = (hash(stmt), frozenset(self.buffers.shared.keys() & own))
            if key not in self.known.touches:
                self.known.touches[key] = self.find_touches(stmt)
            touches = self.known.touches[key]
        if name.endswith("initialize_wgmma_descriptor"):
            # Where in the buffer it points is moved later.
            self.descriptors[hash(stmt.value.args[0].buffer.data)] = [
                dataclasses.replace(touch, terms=None, queue=WGMMA) for touch in touches]
            return []
        if "wgmma" in name:
            touches = touches + [touch for variable, reads in self.descriptors.items() if variable in own
                                 for touch in reads]
        return touches

    def find_touches(self, stmt):
        is_store = type(stmt) is tirx.BufferStore
        touches = []
        for part in (*(stmt.indices[:] if is_store else ()), self.known.facts(stmt).head):
            self.scan(part, touches)
        buffer = self.shared(stmt.buffer.data) if is_store else None
        if buffer is not None:
            touches.append(Touch(buffer, True, terms_of(stmt.buffer, stmt.indices), (), str(stmt.buffer.dtype),
                                 stmt.predicate is None))
        return touches

    def reads_of(self, expr):
        touches = []
        self.scan(expr, touches)
        return touches

    def scan(self, expr, touches):
        if not self.has_shared(expr):
            return
        kind = type(expr)
        if kind is tirx.BufferLoad:
            buffer = self.shared(expr.buffer.data)
            if buffer is not None:
                touches.append(Touch(buffer, False, terms_of(expr.buffer, expr.indices), (), str(expr.buffer.dtype)))
            for index in expr.indices[:]:
                self.scan(index, touches)
        elif kind is tirx.Call:
            self.scan_call(expr, touches)
        elif kind is tirx.Var:
            # A handle that goes elsewhere: anything may be done with it.
            touches += [Touch(self.shared(expr), False), Touch(self.shared(expr), True, is_exact=False)]
        else:
            fields = ("a", "b", "value", "base", "stride", "condition", "true_value", "false_value", "body")
            for part in (getattr(expr, field, None) for field in fields):
                if isinstance(part, tvm.ir.PrimExpr):
                    self.scan(part, touches)

    def scan_call(self, call, touches):
        name = call_name(call)
        first = len(touches)
        for arg in call.args[:]:
            if call_name(arg) == "tl.region":
                self.region(arg, touches)
            elif call_name(arg) in POINTERS:
                self.pointer(call, arg, touches)
            elif isinstance(arg, tvm.ir.PrimExpr):
                self.scan(arg, touches)
        short = name.rpartition(".")[2]
        queue = self.queue_of(call, short)
        if queue is not None or "atomic" in name:
            touches[first:] = [dataclasses.replace(touch, is_atomic="atomic" in name, queue=queue if (
                touch.is_write or queue is BULK_STORES) else touch.queue) for touch in touches[first:]]
        if short in TMA_LOADS and (mbarriers_of(call) or short != "tma_copy"):
            given, moved = mbarriers_of(call), self.bytes_moved(call, touches[first:])
            touches[first:] = [dataclasses.replace(touch, mbarrier=given[0] if len(given) == 1 else ANY, moved=moved)
                               if touch.is_write else touch for touch in touches[first:]]

    def bytes_moved(self, call, touches):
        """By a copy: those of the box of its descriptor, or of the elements that it says to write; 0: not known."""
        writes = [touch for touch in touches if touch.is_write]
        said = [math.prod(count for count, _ in touch.spans) * bits_of(touch.dtype) // 8
                for touch in writes if touch.is_exact and touch.spans]
        moved = said[0] if len(said) == len(writes) == 1 else 0
        source, boxes = call.args[0], self.known.boxes
        if call_name(source).endswith("create_tma_descriptor"):
            return box_bytes(source) or 0
        if call_name(source) in POINTERS:
            # tma_load(to, from, mbarrier, bytes, ...)
            return constant(call.args[3]) or 0
        if type(source) is not tirx.Var or "tma_copy" in call_name(call):
            return moved
        # The same for all copies through it, and not said any more once pointers are lowered.
        for key in (hash(source), source.name):
            if moved:
                boxes[key] = moved if boxes.get(key, moved) == moved else 0
        return moved or boxes.get(hash(source)) or boxes.get(source.name, 0)

    def queue_of(self, call, name):
        # Copies that their pipeline commits itself are asynchronous from then on.
        if name == "ptx_cp_async" or "no_implicit_async_commit_wait" in call.annotations:
            return COPIES
        if name == "tma_store":
            return BULK_STORES
        return None

    def region(self, call, touches):
        load, mask, *extents = call.args[:]
        buffer = self.shared(load.buffer.data)
        if buffer is None:
            return
        terms, steps = terms_of(load.buffer, load.indices), steps_of(load.buffer.shape)
        counts = constants(extents)
        known = terms is not None and counts is not None
        spans = tuple(zip(counts, steps[len(steps) - len(counts):])) if known else ()
        for bit, is_write in ((1, False), (2, True)):
            if mask.value & bit:
                touches.append(Touch(buffer, is_write, terms if known else None, spans, str(load.buffer.dtype)))

    def pointer(self, call, arg, touches):
        name, kind = call_name(call), call_name(arg)
        load = None if kind == "tirx.tvm_access_ptr" else arg.args[0]
        buffer = self.shared(arg.args[1] if load is None else load.buffer.data)
        if buffer is None:
            return
        if load is None:
            terms, dtype = summands(arg.args[2]), str(arg.args[0].dtype)
            extent, mask = constant(arg.args[3]), arg.args[4].value
        else:
            terms, dtype = terms_of(load.buffer, load.indices), str(load.buffer.dtype)
            extent, mask = (None, 3) if kind == "tirx.address_of" else (constant(arg.args[1]), arg.args[2].value)
        if name.endswith("ptx_cp_async"):
            extent, mask = constant(call.args[2]), 2
        if name.endswith(("ptx_ldmatrix", "tma_store", "initialize_wgmma_descriptor")):
            mask = 1
        if name.endswith(("ptx_stmatrix", "tma_load", "tma_load_im2col")):
            mask = 2
        # Whether all of the extent is written only these promise.
        is_exact = extent is not None and ("cp_async" in name or "tma_load" in name or "ptx_stmatrix" in name)
        for bit, is_write in ((1, False), (2, True)):
            if mask & bit:
                touches.append(Touch(buffer, is_write, terms, ((extent or 1, 1),), dtype, is_exact))

    def leaf(self, stmt, touches):
        if not touches:
            return []
        accesses = []
        for is_write in (False, True):
            kinds = {}
            for touch in touches:
                if touch.is_write == is_write:
                    by = touch.mbarrier if touch.mbarrier in (None, ANY) else hash(touch.mbarrier)
                    kinds.setdefault((touch.buffer.id, touch.queue, by, touch.is_atomic), []).append(touch)
            for same in kinds.values():
                accesses += self.accesses(same)
        self.touched.update((touch.buffer.id, touch.buffer) for touch in touches)
        signature = sorted({(t.buffer.id, t.is_write) for t in touches})
        if any(touch.mbarrier is not None for touch in touches):
            return self.counted_leaf(stmt, accesses, signature)
        return [self.add({"kind": "leaf", "accesses": accesses}, stmt, signature)]

    def counted_leaf(self, stmt, accesses, signature):
        """A tile operation that copies is done by an elected thread, which arrives for it if the operation says so."""
        call = self.known.facts(stmt).head
        is_tile = call_name(call).endswith("tma_copy")
        before = self.doers
        if is_tile:
            self.doers = 1 if before == 0 else None
        leaf = [self.add({"kind": "leaf", "accesses": accesses}, stmt, signature)]
        counted = next(access for access in accesses if "mbarrier" in access)
        if is_tile and constant(call.annotations.get("emit_arrive", 0)):
            ref = {"mbarrier": counted["mbarrier"]}
            leaf.insert(0, self.add({"kind": "expect", **ref, "bytes": counted["bytes"]}, stmt, ("expect",)))
            leaf.append(self.add({"kind": "arrive", **ref, "count": 1 if self.doers else 0}, stmt, ("arrive",)))
        self.doers = before
        return leaf

    def accesses(self, touches):
        """Of touches of one buffer in one manner: an access for each slot."""
        buffer, covered, unknown = touches[0].buffer, {}, set()
        for touch in touches:
            for slot, elements in self.slots(touch):
                covered.setdefault(slot, elements)
                if elements is None:
                    unknown.add(slot)
                elif covered[slot] is not elements:
                    covered[slot] = elements if covered[slot] is None else covered[slot] | elements
        result = []
        for slot, elements in covered.items():
            access = {"buffer": buffer.id}
            if slot != ("constant", 0):
                access["slot"] = dict(zip(("kind", "offset", "modulus", "loop"), slot))
                if slot[0] == "loop":
                    access["slot"]["loop"] = self.outer[slot[3]][1]
            if touches[0].is_write:
                access["kind"] = "write"
                if elements is not None and bool(elements.all()):
                    access["full"] = True
                elif slot in unknown:
                    self.inexact.add(buffer.id)
            if touches[0].queue is not None:
                access.update({"async": True, **self.queued(touches[0].queue)})
                access |= {"asyncProxy": True} if touches[0].queue in (WGMMA, BULK_STORES) else {}
            if touches[0].mbarrier is not None:
                access.update({"async": True, "asyncProxy": True, "mbarrier": self.used_mbarrier(touches[0].mbarrier),
                               "bytes": self.bytes_of(touches) if len(covered) == 1 else 0})
            if touches[0].is_atomic:
                access["atomic"] = True
            result.append(access)
        return result

    def bytes_of(self, touches):
        """That an mbarrier counts; 0: not known."""
        total = 0
        for touch in touches:
            extents = [extent for _, extent in touch.loops.values()]
            is_sure = all("elect" in call_name(condition) for condition, _ in touch.conditions) and None not in extents
            if not touch.moved or not is_sure or self.doers is None:
                return 0
            total += touch.moved * math.prod(extents)
        return total

    def slots(self, touch):
        """[(slot, the elements of it that are written for sure)]"""
        buffer = touch.buffer
        unknown = [(("constant", 0) if buffer.versions == 1 else ("dynamic",), None)]
        if touch.terms is None or buffer.bytes is None or (buffer.versions == 1 and not touch.is_write):
            return unknown
        conditions = (*self.conditions, None, *touch.conditions)
        key = (touch.is_write, touch.is_exact, touch.spans, touch.dtype, buffer.id, buffer.versions, buffer.bytes,
               self.chain, tuple([(hash(expr), factor) for expr, factor in touch.terms]), tuple(touch.loops.items()),
               tuple([pair and (hash(pair[0]), pair[1]) for pair in conditions]))
        if key not in self.known.slots:
            self.known.slots[key] = self.work_out(touch, unknown)
        return self.known.slots[key]

    def work_out(self, touch, unknown):
        buffer = touch.buffer
        size = buffer.bytes * 8 // bits_of(touch.dtype) // buffer.versions
        # One thread of a warp is elected: what it does, it does alone.
        grid = Grid(self.bound, touch.loops if self.is_elected(touch.conditions) else {**self.threads, **touch.loops})
        try:
            elements, slot = self.elements(touch, grid, size)
        except NotKnown:
            return unknown
        # What stands around the leaf holds where it runs, known or not; what stands in it must be known to hold.
        around, inside = self.where(self.conditions, grid), self.where(touch.conditions, grid)
        around = numpy.asarray(True) if around is None else around
        chosen = around if inside is None else numpy.logical_and(around, inside)
        elements = those_chosen(elements, chosen)
        if elements.size == 0:
            return unknown
        low, high = int(elements.min()), int(elements.max())
        if low < 0 or high >= size * (1 if slot else buffer.versions):
            return unknown
        written = None
        if touch.is_write and touch.is_exact and inside is not None:
            written = numpy.zeros(size * buffer.versions, dtype=bool)
            written[elements] = True
        return [(slot or ("constant", n), None if written is None else written[n * size:(n + 1) * size])
                for n in range(low // size, high // size + 1)]

    def elements(self, touch, grid, size):
        """The elements inside the slot, and the slot if a loop around chooses it."""
        elements, slot = numpy.int64(0), None
        for expr, factor in touch.terms:
            try:
                elements = elements + grid.of(expr) * factor
            except NotKnown:
                for term, times in summands(expr, factor):
                    try:
                        elements = elements + grid.of(term) * times
                    except NotKnown:
                        if slot is not None or times != size:
                            raise
                        slot = self.loop_slot(term)
        for position, (count, step) in enumerate(touch.spans):
            if count > 1:
                elements = elements + grid.axis(("span", position, count), 0, count) * step
        return numpy.asarray(elements), slot

    def loop_slot(self, term):
        """(k + c) mod V, where k counts the iterations of a loop around."""
        value, modulus = remainder(term)
        offset, loop = 0, None
        for part, factor in summands(value):
            if constant(part) is not None:
                offset += constant(part) * factor
            elif type(part) is tirx.Var and factor == 1 and loop is None and hash(part) in self.outer:
                loop = hash(part)
                begin = self.outer[loop][0]
                if begin is None or begin < 0:
                    raise NotKnown
                offset += begin
            else:
                raise NotKnown
        if loop is None or offset < 0:
            raise NotKnown
        return ("loop", offset % modulus, modulus, loop)

    @staticmethod
    def where(conditions, grid):
        """For which points of the grid the conditions hold; None: not known."""
        chosen = numpy.asarray(True)
        for condition, holds in conditions:
            if "elect" in call_name(condition) and holds:
                continue
            try:
                value = numpy.asarray(grid.of(condition)).astype(bool)
            except NotKnown:
                return None
            chosen = numpy.logical_and(chosen, value if holds else numpy.logical_not(value))
        return chosen


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


# ---- States of the program -----------------------------------------------------------------------

class Tables:
    """Makes the states of one compile, in order."""

    def __init__(self, function):
        self.buffers = Buffers(function)
        self.numbers, self.does = [], []  # of the statements of the program before, and what each does
        self.count = 0

    def number(self, places):
        """Numbers of statements, `places`: [(statement, what it does)], in program order. TVM has none: a statement has
        the number of the one in its place in the program before that does the same to the same buffers."""
        does = [what for _, what in places]
        if does == self.does:
            return self.numbers
        numbers = [None] * len(places)
        for old, new, length in difflib.SequenceMatcher(None, self.does, does, False).get_matching_blocks():
            numbers[new:new + length] = self.numbers[old:old + length]
        for i, number in enumerate(numbers):
            if number is None:
                numbers[i], self.count = self.count, self.count + 1
        self.numbers, self.does = numbers, does
        return numbers

    def state(self, functions):
        """([(text, statement, source line)], {kind of record: records})"""
        self.buffers.look_at(functions)
        marks, accesses, arenas, programs = {}, [], [], []
        for name, (_, function) in functions.items():
            if self.buffers.declares_shared(function.body):
                programs.append((name, function, Program(function, self.buffers)))
        programs = [made for made in programs if made[2].touched]
        places = [place for _, _, program in programs for place in program.places if place[0] is not None]
        numbers = iter(self.number(places))
        for name, function, program in programs:
            accesses.append(access_record(name, program, numbers, marks))
            if self.buffers.is_merged:
                arenas.append(arena_record(name, function, program))
        buffers = [buffer.record(self.buffers.function) for buffer in self.buffers.now]
        return self.print(functions, marks), {"buffers": buffers, "accesses": accesses, "arenas": arenas}

    def print(self, functions, marks):
        lines = []
        module = tvm.IRModule({name: function for name, function in functions.values()})
        annotations = {stmt: f"{MARK}{number}" for stmt, number in marks.items()}
        sources = {number: self.buffers.line_of(tilelang_ir.get_stmt_span(stmt)) for stmt, number in marks.items()}
        number = None
        for line in module.script(show_meta=False, obj_to_annotate=annotations).split("\n"):
            if MARK in line:
                line, _, mark = line.partition("# " + MARK)
                line, number = line.rstrip(), int(mark)
                if not line:
                    continue  # stands above the statement
            lines.append((line, number, sources.get(number, 0)))
            number = None
        return lines


def loops_named(node):
    """The parts of a node that name a loop, by the index of its node."""
    counted = [part for part in (node, *node.get("accesses", ())) if "mbarrier" in part]
    counters = [part["mbarrier"]["counter"] for part in counted if "counter" in part["mbarrier"]]
    if "counter" in node.get("parity", ()):
        counters.append(node["parity"]["counter"])
    slots = [access["slot"] for access in node.get("accesses", ()) if "loop" in access.get("slot", ())]
    return slots + [term for counter in counters for term in counter["terms"]] + [node] * ("rangeLoop" in node)


def access_record(name, program, numbers, marks):
    for node, (stmt, _) in zip(program.nodes, program.places):
        if stmt is not None:
            number = next(numbers)
            # A statement that TVM shares between places has the number of the first.
            first = marks.setdefault(stmt, number)
            node["stmt"] = first if node["kind"] == "wait" else number
    # Nodes may share a part.
    for named in {id(part): part for node in program.nodes for part in loops_named(node)}.values():
        key = "rangeLoop" if "rangeLoop" in named else "loop"
        named[key] = program.nodes[named[key]]["stmt"]
    buffers = [{"id": b.id, "name": b.name, "versions": b.versions} for _, b in sorted(program.touched.items())]
    record = {"function": name, "program": {"nodes": program.nodes, "root": program.root, "buffers": buffers,
                                            "mbarriers": program.mbarriers, "threads": program.block_threads()}}
    if program.not_followed:
        record["notFollowed"] = sorted(program.not_followed)
    if program.inexact:
        record["inexact"] = sorted(program.inexact)
    return record


def arena_record(name, function, program):
    """Where their pass put the buffers, and the alignments that it was asked for."""
    shared = [buffer for _, buffer in sorted(program.touched.items()) if buffer.scope == "shared.dyn"]
    if len(shared) == 1 and shared[0].offset is None:
        shared[0].offset = 0  # it is the arena, and there is nothing to merge
    alignments = dict(function.attrs.get("tl.smem_alignment_map") or {}) if function.attrs else {}
    problem, placements = [], []
    for buffer in shared:
        if None in (buffer.offset, buffer.bytes):
            continue
        problem.append({"id": buffer.id, "name": buffer.name, "sizeBytes": buffer.bytes,
                        "alignmentBytes": int(alignments.get(buffer.name, 16)), "versions": buffer.versions,
                        "strideBytes": buffer.bytes // buffer.versions})
        placements.append({"id": buffer.id, "offsetBytes": buffer.offset, "sizeBytes": buffer.bytes})
    return {"function": name, "preview": False, "problem": {"buffers": problem}, "plan": {"placements": placements}}


def line_of_passes(compile_):
    """[(step, functions)] in the order in which the passes ended: the program that becomes the CUDA after each that
    changed it, else None. Passes that TileLang runs on other modules, such as the body of one operation or the host
    side, leave that program alone."""
    current = compile_.steps[0][1].before
    result, on_line = [(None, current)], []
    for what, step in compile_.steps:
        if what == "begin":
            known = {hash(function) for _, function in current.values()}
            on_line.append((not on_line or on_line[-1])
                           and any(hash(function) in known for _, function in step.before.values()))
            continue
        after = step.after if on_line.pop() else None
        if after is not None and compile_.kernels and not set(after) & set(compile_.kernels) and set(
                current) & set(compile_.kernels):
            after = None  # the host side, filtered out
        result.append((step, None if after is None or is_equal(current, after) else after))
        current = current if after is None else after
    result += [(step, None) for step in compile_.open]
    return result


def is_equal(first, second):
    return first.keys() == second.keys() and all(is_same(function, second[name][1])
                                                 for name, (_, function) in first.items())


def is_same(first, second):
    if all(getattr(first, part).same_as(getattr(second, part)) for part in ("body", "params", "buffer_map")):
        return first.ret_type == second.ret_type and tvm.ir.structural_equal(first.attrs, second.attrs)
    return tvm.ir.structural_equal(first, second)


# ---- The file ------------------------------------------------------------------------------------

ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class Writer:
    def __init__(self, out):
        self.out, self.offset = out, 0
        self.lines, self.records, self.pass_ends = {}, [], []
        self.text, self.parts = [], {}
        self.snapshots = self.last_full = 0

    def record(self, kind, number=0, **fields):
        data = (ENCODER.encode({"record": kind, **fields}) + "\n").encode("utf-8", "replace")
        self.out.write(data)
        self.records.append([kind, len(data)] + ([number] if number else []))
        self.offset += len(data)

    def state(self, lines, parts):
        numbers, new = [], []
        for line in lines:
            if line not in self.lines:
                self.lines[line] = len(self.lines)
                text, stmt, source = line
                new.append([text, stmt, None, [source, 1, source, 1] if source else None])
            numbers.append(self.lines[line])
        if new:
            self.record("lines", len(new), count=len(new), lines=new)
        if self.snapshots % FULL_SNAPSHOT_EVERY == 0:
            self.last_full = self.offset
            self.record("snapshot", 1, full=numbers)
        else:
            self.record("snapshot", edits=edits_of(self.text, numbers))
        self.text, self.snapshots = numbers, self.snapshots + 1
        for kind, part in parts.items():
            if part != self.parts.get(kind, []):
                self.record(kind, **{kind: part})
                self.parts[kind] = part

    def pass_end(self, name, depth, status, seconds):
        index, offset, previous = len(self.pass_ends), self.offset, self.pass_ends[-1] if self.pass_ends else None
        self.record("passEnd", index=index, name=name, depth=depth, status=status, snapshot=self.snapshots - 1,
                    previousPassEnd=previous, lastFull=self.last_full)
        self.pass_ends.append(offset)
        self.record("time", index=index, wallMicroseconds=round(seconds * 1e6))


def edits_of(before, after):
    """[[at, removed, inserted], ...]"""
    head = len(os.path.commonprefix([before, after]))
    tail = len(os.path.commonprefix([before[head:][::-1], after[head:][::-1]]))
    matcher = difflib.SequenceMatcher(None, before[head:len(before) - tail], after[head:len(after) - tail], False)
    return [[head + i, j - i, after[head + k:head + n]]
            for kind, i, j, k, n in matcher.get_opcodes() if kind != "equal"]


@contextlib.contextmanager
def output(path):
    """The name to write under: beside the final one, so that nobody reads half a trace, and what is a link stays one.
    What is no file, such as a pipe, is written in place. Without anything written, the final name is left alone."""
    real = pathlib.Path(os.path.realpath(path))
    if real.exists() and not real.is_file():
        with open(real, "wb"):
            yield real
        return
    beside = real.with_name(f".{real.name}.{os.getpid()}")
    try:
        with open(beside, "wb"):
            yield beside
        if beside.stat().st_size > 0:
            os.replace(beside, real)
    finally:
        beside.unlink(missing_ok=True)


def write_trace(path, compile_, file="", parameters=()):
    # There is no garbage yet, and looking for it means all that the program has loaded.
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        with output(path) as name, open(name, "wb") as out:
            write_records(Writer(out), compile_, file, parameters)
    finally:
        if is_collecting:
            gc.enable()


def write_records(writer, compile_, file, parameters):
    passes = line_of_passes(compile_)
    function, (_, body) = next(iter(passes[0][1].items()))
    tables = Tables(function)
    file = file or tables.buffers.find_file(body)
    text = pathlib.Path(file).read_text(encoding="utf-8", errors="replace") if file else ""
    writer.record("trace", major=MAJOR, minor=MINOR, tool="0.1.0", compiler=f"tilelang {tilelang.__version__}",
                  file=str(file), fileText=text, function=function, target=target_name(compile_),
                  parameters=list(parameters))
    tables.buffers.file = real_path(file)
    for step, functions in passes:
        name = step.name if step else "elaborate"
        writer.record("passBegin", name=name)
        if name == "tl.MergeSharedMemoryAllocations":
            tables.buffers.is_merged = True
        if functions is not None:
            writer.state(*tables.state(functions))
        has_failed = step is not None and step.after is None
        status = "failed" if has_failed else "changed" if functions is not None else "unchanged"
        seconds = 0 if step is None or has_failed else step.ended - step.began
        writer.pass_end(name, step.depth if step else 0, status, seconds)
    if compile_.error is not None:
        text = f"{type(compile_.error).__name__}: {compile_.error}"
        writer.record("diagnostics", diagnostics=[{"id": "other-compiler", "severity": "error", "text": text}])
    if compile_.emitted is not None:
        writer.record("passBegin", name="emit-cuda")
        writer.pass_end("emit-cuda", 0, "unchanged", compile_.emit_seconds)
        writer.record("cuda", text=compile_.emitted.inspect_source())
        writer.record("launches", launches=[launch_of(name, function, tables.buffers.known)
                                            for name, (_, function) in compile_.kernels.items()])
    writer.record("index", passEnds=writer.pass_ends, lastFull=writer.last_full, records=list(writer.records))


def target_name(compile_):
    target = compile_.target
    if target is None:
        attributes = (f.attrs for _, f in compile_.steps[-1][1].before.values() if f.attrs)
        target = next((a["target"] for a in attributes if "target" in a), None)
    return str(target.attrs.get("arch", "")) if target is not None else ""


def launch_of(name, function, known):
    extents = {str(stmt.node.thread_tag): stmt.value for stmt in known.statements(function.body)
               if type(stmt) is tirx.AttrStmt and stmt.attr_key == "thread_extent"}
    threads = constants(extents.get(f"threadIdx.{axis}", 1) for axis in "xyz")
    return {"kernel": name, "grid": [str(extents.get(f"blockIdx.{axis}", 1)) for axis in "xyz"],
            "threads": math.prod(threads or [0])}


# ---- The command line ----------------------------------------------------------------------------

def not_now(*_, **__):
    """A kernel file compiles or runs its kernel at the top level, which may need a GPU."""
    raise RuntimeError


def load_kernel_file(path):
    """The definitions of a kernel file. It is a script more often than not: what runs a kernel is left out."""
    module = types.ModuleType("tilescope_recorded_kernel")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    sys.path.insert(0, str(path.parent))
    jit = sys.modules["tilelang.jit"].JITImpl
    runs = {(owner, name): getattr(owner, name)
            for owner, name in ((jit, "__call__"), (jit, "compile"), (tilelang, "compile"))}
    defines = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
    try:
        for owner, name in runs:
            setattr(owner, name, not_now)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            code = compile(ast.Module([node], []), str(path), "exec")
            if isinstance(node, defines):
                exec(code, module.__dict__)
            elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.If, ast.Try)):
                # What fails here is missed by the kernel, or was not needed.
                with contextlib.suppress(Exception):
                    exec(code, module.__dict__)
    finally:
        for (owner, name), function in runs.items():
            setattr(owner, name, function)
    return module


def kernels_of(module):
    """By name: what makes a PrimFunc. Autotuned kernels are the kernel, not the search."""
    found = {name: getattr(value, "jit_impl", value) for name, value in vars(module).items()}
    return {name: value for name, value in found.items() if isinstance(value, tirx.PrimFunc) or hasattr(value, "get_tir")}


def literal(text):
    try:
        return ast.literal_eval({"true": "True", "false": "False", "none": "None"}.get(text, text))
    except (ValueError, SyntaxError):
        return text


def fail(text):
    print(f"tilescope_record: {text}", file=sys.stderr)
    sys.exit(2)


def select(kernels, wanted, file):
    if wanted in kernels:
        return kernels[wanted]
    if not wanted and len(kernels) == 1:
        return next(iter(kernels.values()))
    if not kernels:
        fail(f"{file} has no kernel")
    fail(f"{file} has {'no kernel ' + wanted if wanted else 'several kernels'}: {', '.join(kernels)}")


def arguments_of(texts, kernel):
    """The values of NAME=VALUE, ..."""
    arguments = {}
    for text in texts:
        name, is_set, value = text.partition("=")
        if not is_set or name in arguments:
            fail(f"--set {text}: {'a second value of ' + name if is_set else 'expected NAME=VALUE'}")
        arguments[name] = literal(value)
    signature = getattr(kernel, "signature", None)
    declared = list(signature.parameters) if signature else []
    for name in arguments:
        if name not in declared:
            fail(f"the kernel has no argument '{name}': it has {', '.join(declared) or 'none'}")
    return arguments


def parameters_of(kernel, arguments):
    """Those given, and the defaults of the others."""
    signature = getattr(kernel, "signature", None)
    declared = signature.parameters.values() if signature else ()
    values = {p.name: p.default for p in declared if p.default is not p.empty} | arguments
    plain = (bool, int, float, str, type(None))
    return [{"name": name, "type": type(value).__name__, "value": repr(value if isinstance(value, plain) else str(value))}
            for name, value in values.items()]


def lower(kernel, arguments, target):
    """What their compile does up to the CUDA text; no GPU and no CUDA compiler is needed."""
    function = kernel if isinstance(kernel, tirx.PrimFunc) else kernel.get_tir(**arguments)
    configs = dict(getattr(kernel, "pass_configs", None) or {})
    configs = {getattr(key, "value", key): value for key, value in configs.items()}
    with tilelang.transform.PassContext(opt_level=3, config=configs), target:
        return tilelang.lower(function, target=target, enable_device_compile=False)


def main():
    parser = argparse.ArgumentParser(prog="tilescope_record", description=__doc__.split("\n")[0])
    parser.add_argument("kernel", help="FILE[:FUNCTION]")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="an argument of the kernel")
    parser.add_argument("--target", default="sm_80", help="sm_80, sm_90a, ... (default: sm_80)")
    parser.add_argument("-o", "--output", required=True, help="the trace")
    parser.add_argument("--cuda", help="also write the CUDA")
    given = parser.parse_args()
    file, _, wanted = given.kernel.partition(":")
    try:
        kernel = select(kernels_of(load_kernel_file(pathlib.Path(file))), wanted, file)
    except (OSError, SyntaxError) as error:
        fail(f"cannot read the kernel: {error}")
    arguments = arguments_of(given.set, kernel)
    target = tvm.target.Target({"kind": "cuda", "arch": given.target})
    try:
        with recording(given.output, file, parameters_of(kernel, arguments)):
            artifact = lower(kernel, arguments, target)
        if given.cuda:
            pathlib.Path(given.cuda).write_text(artifact.kernel_source, encoding="utf-8")
    except OSError as error:
        fail(f"cannot write: {error}")
    except Exception as error:
        # The trace says how far it came.
        fail(f"TileLang did not compile it: {error}")


if __name__ == "__main__":
    main()
