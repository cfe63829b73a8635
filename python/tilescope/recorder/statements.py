"""What statements of TVM say of themselves: their parts, the buffers that they declare, the variables in them."""

import collections
import functools

from tilelang import ir as tilelang_ir
from tilelang import tvm
from tvm import tirx
from tvm.tirx.analysis import undefined_vars
from tvm_ffi import Object

from tilescope.recorder.expressions import CONSTANTS, call_name, constant


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
# inside, the parts of arenas that have a variable as (variable, name, arena, offset), the maps of layouts by address, and
# whether threads meet or copies end, here or inside.
Facts = collections.namedtuple("Facts", "children head name declared aliases layout_maps is_sync")


class Known:
    """What is known of objects of TVM, which passes share, so that each is looked at once."""

    def __init__(self):
        for look in (self.facts, self.declaration, self.variables, self.own_variables, self.all_variables):
            setattr(self, look.__name__, functools.cache(look))
        # These know objects by their address: they must live as long as this.
        self.touches = {}  # by statement and shared variables
        self.slots = {}  # the parts of touches, by all that they depend on (slots.Key)
        self.boxes = {}  # bytes that a copy through a descriptor moves, by its variable and by its name
        self.tokens = {}  # by the threads that touch each element of a slot
        self.element_threads = {}  # what records say of them: see ElementThreads
        self.chains = {}  # numbers of sequences of variables: (number of those before, variable, value): number

    def token_of(self, threads):
        """A number, not 0, that only accesses have of which each thread touches the same elements."""
        return self.tokens.setdefault(threads.tobytes(), len(self.tokens) + 1)

    def facts(self, stmt):
        kind = type(stmt)
        children, head = PARTS[kind](stmt) if kind in PARTS else ([], None)
        name, declared, aliases, layout_maps = call_name(head), [], [], {}
        if kind is tirx.SBlock:
            declared += map(self.declaration, stmt.alloc_buffers[:])
            if "layout_map" in stmt.annotations:
                layout_map = stmt.annotations["layout_map"]
                layout_maps[address_of(layout_map)] = layout_map
        elif kind is tirx.AllocBuffer:
            declared.append(self.declaration(stmt.buffer))
        elif kind is tirx.Bind and name == PART_OF_ARENA:
            aliases.append((hash(stmt.var), stmt.var.name, hash(stmt.value.args[0]), constant(stmt.value.args[1])))
        synchronises = is_sync(name)
        for inner in map(self.facts, children):
            declared += inner.declared
            aliases += inner.aliases
            layout_maps |= inner.layout_maps
            synchronises |= inner.is_sync
        return Facts(children, head, name, declared, aliases, layout_maps, synchronises)

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

    def named_variables(self, stmt):
        """And those that it defines."""
        if type(stmt) is tirx.Bind:
            return self.own_variables(stmt) | {hash(stmt.var)}
        if type(stmt) in (tirx.AllocBuffer, tirx.DeclBuffer):
            return frozenset((hash(stmt.buffer.data),))
        return self.own_variables(stmt)

    def all_variables(self, stmt):
        """Those that stand in it and in what is inside."""
        return self.own_variables(stmt).union(*map(self.all_variables, self.facts(stmt).children))


def address_of(container):
    """Of a map or an array, the hash of which is that of all that is in it."""
    return Object.__hash__(container)


def bounds_of(loop):
    """{variable: (begin, extent)}, as far as they are constant."""
    if type(loop) is tirx.While:
        return {hash(loop): (None, None)}
    return {hash(loop.loop_var): (constant(loop.min), constant(loop.extent))}


def mbarriers_of(call):
    """Those that a call is given."""
    given = call.args[:] + ([call.annotations["barrier"]] if "barrier" in call.annotations else [])
    return [expr for expr in given if type(expr) is tirx.BufferLoad and expr.buffer.scope() == "shared.barrier"]
