"""The accesses of one statement to shared memory, as they stand in the program."""

import dataclasses
import functools
import math
import re

from tilelang import tvm
from tvm import tirx

from tilescope.recorder.buffers import Buffer, bits_of
from tilescope.recorder.descriptors import UNIT, UNITS_DTYPE, elements_in_units
from tilescope.recorder.expressions import call_name, constant, constants, steps_of, summands, terms_of
from tilescope.recorder.statements import LEAVES_LOOP, mbarriers_of

# Each of 32 lanes names the place of a row of one of 4 matrices, of 8 rows each.
MATRIX_OPERATIONS = ("tl.ptx_ldmatrix", "tl.ptx_stmatrix")
MATRIX_ROW_BITS = 128


def transposes(call):
    """Whether rows of matrices are spread over the lanes as columns; None: it is no such operation, or another form."""
    is_plain = not isinstance(call.args[-1], tirx.StringImm) or call.args[-1].value == "m8n8"
    if call_name(call) not in MATRIX_OPERATIONS or not is_plain or constant(call.args[1]) != 4:
        return None
    return bool(constant(call.args[0]))


def box_bytes(descriptor):
    """create_tma_descriptor(type, rank, data, shape, strides in bytes, box, ...); None: not known."""
    rank = constant(descriptor.args[1])
    sizes = rank and constants(descriptor.args[3 + rank:3 + 3 * rank])
    return math.prod(sizes[rank:]) * sizes[0] if sizes else None


# What accesses do not say, by words in the names of operations: with any of these the checks establish nothing.
NOT_FOLLOWED = (
    ("tma_", "when copies by TMA arrive"),
    ("wgmma", "when wgmma has read its operands"),
    ("tcgen05", "what tcgen05 operations touch"),
    ("named_barrier_arrive", "who goes on at a named barrier without waiting"),
    ("syncthreads_", "where threads meet and exchange a value"),
    ("cluster_", "what blocks of a cluster order"),
    ("sync_grid", "what other blocks order"),
    ("cp_async_barrier", "when copies arrive at mbarriers"),
    ("thread_return", "which threads have left"),
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


def whole(touch, bytes_):
    """Of a copy in bulk: the bytes that lie one after the other where it points, if it does not say which elements."""
    if not bytes_ or bytes_ % UNIT or (touch.is_exact and touch.spans):
        return touch
    terms = elements_in_units(touch.terms, touch.dtype)
    if terms is None:
        return touch
    return dataclasses.replace(touch, terms=terms, spans=((bytes_ // UNIT, 1),), dtype=UNITS_DTYPE, is_exact=True)


@dataclasses.dataclass(eq=False)
class Touch:
    """One access as it stands in the program. Elements: the sum of `terms` [(expression, factor)], and of a number
    of each of `spans` [(count, step)]; None: not known."""

    buffer: Buffer
    is_write: bool
    terms: list | None = None
    spans: tuple = ()
    dtype: str = ""
    is_exact: bool = True  # of a write, and what a queue does: it touches all of these elements
    is_own: bool = False  # each thread touches the elements that its numbers say: no operation of a warp
    is_transposed: bool | None = None  # of rows of matrices that a warp loads or stores together: see transposes()
    is_chosen: bool = False  # an expression decides whether it is touched
    queue: object = None  # that it goes through; None: it is not asynchronous, or an mbarrier counts it
    mbarrier: object = None  # the expression of the one that counts it, or ANY
    moved: int = 0  # bytes that the mbarrier counts; 0: not known
    is_atomic: bool = False
    loops: dict = dataclasses.field(default_factory=dict)  # inside its leaf: variable: (begin, extent)
    conditions: tuple = ()  # (expression, whether it holds)


def same_elements(touch, other):
    """Both touch the same ones wherever the program comes to them, and it comes to both or to none."""
    if touch.terms is None or other.terms is None or len(touch.terms) != len(other.terms):
        return False
    places = [(one.dtype, one.spans, one.loops, [(hash(condition), holds) for condition, holds in one.conditions])
              for one in (touch, other)]
    return places[0] == places[1] and all(
        factor == times and tvm.ir.structural_equal(expr, term)
        for (expr, factor), (term, times) in zip(touch.terms, other.terms))


def reduces(call):
    """Threads reduce through a workspace, of which they read nothing but what they have just written there."""
    return call_name(call).endswith("call_extern") and call.args[0].value.startswith("tl::AllReduce<")


# AllReduce<what, threads that reduce, their step, the first of the role, NamedBarrier<threads of the role>>
ALL_REDUCE = re.compile(r"tl::AllReduce<[^,]+, (\d+), \d+, \d+, tl::NamedBarrier<(\d+)>>::run")


def reduced_through(call, dtype):
    """How many elements of a workspace are written: more than a warp reduces, and each thread of the role puts its value there,
    the first at element 0. None: not known."""
    found = ALL_REDUCE.fullmatch(call.args[0].value)
    is_plain = found and int(found[1]) > 32 and str(call.dtype) == dtype
    return int(found[2]) if is_plain else None


class Touches:
    """Finds them. What asks for the buffers of the program changes from pass to pass."""

    def __init__(self, buffers):
        self.buffers, self.known = buffers, buffers.known

    def shared(self, var):
        return self.buffers.shared.get(hash(var))

    def has_shared(self, expr):
        return not self.buffers.shared.keys().isdisjoint(self.known.variables(expr))

    def of_statement(self, stmt):
        is_store = type(stmt) is tirx.BufferStore
        touches = []
        for part in (*(stmt.indices[:] if is_store else ()), self.known.facts(stmt).head):
            self.scan(part, touches)
        buffer = self.shared(stmt.buffer.data) if is_store else None
        if buffer is not None:
            touches.append(Touch(buffer, True, terms_of(stmt.buffer, stmt.indices), (), str(stmt.buffer.dtype),
                                 stmt.predicate is None, True))
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
                touches.append(Touch(buffer, False, terms_of(expr.buffer, expr.indices), (), str(expr.buffer.dtype),
                                     expr.predicate is None, True))
            for index in expr.indices[:]:
                self.scan(index, touches)
        elif kind is tirx.Call:
            self.scan_call(expr, touches)
        elif kind is tirx.Var:
            # A handle that goes elsewhere: anything may be done with it.
            touches += [Touch(self.shared(expr), False), Touch(self.shared(expr), True, is_exact=False)]
        else:
            fields = ("a", "b", "value", "base", "stride", "condition", "true_value", "false_value", "body")
            first = len(touches)
            for part in (getattr(expr, field, None) for field in fields):
                if isinstance(part, tvm.ir.PrimExpr):
                    self.scan(part, touches)
            if kind in (tirx.And, tirx.Or, tirx.Select):
                self.leave_open(touches, first)

    def scan_call(self, call, touches):
        name = call_name(call)
        first = behind_target = len(touches)
        for position, arg in enumerate(call.args[:]):
            if position == 1:
                behind_target = len(touches)
            if call_name(arg) == "tl.region":
                self.region(arg, touches)
            elif call_name(arg) in POINTERS:
                self.pointer(call, arg, touches)
            elif isinstance(arg, tvm.ir.PrimExpr):
                self.scan(arg, touches)
        short = name.rpartition(".")[2]
        if short == "if_then_else":
            self.leave_open(touches, first)
        queue = self.queue_of(call, short)
        if "atomic" in name:
            touches[first:behind_target] = [dataclasses.replace(touch, is_atomic=True)
                                            for touch in touches[first:behind_target]]
        if queue is not None:
            touches[first:] = [dataclasses.replace(touch, queue=queue) if touch.is_write or queue is BULK_STORES else touch
                               for touch in touches[first:]]
        if short in TMA_LOADS and (mbarriers_of(call) or short != "tma_copy"):
            given, moved = mbarriers_of(call), self.bytes_moved(call, touches[first:], True)
            touches[first:] = [dataclasses.replace(whole(touch, moved), mbarrier=given[0] if len(given) == 1 else ANY,
                                                   moved=moved)
                               if touch.is_write else touch for touch in touches[first:]]
        if queue is BULK_STORES:
            moved = self.bytes_moved(call, touches[first:], False)
            touches[first:] = [whole(touch, moved) for touch in touches[first:]]

    @staticmethod
    def leave_open(touches, first):
        touches[first:] = [dataclasses.replace(touch, is_chosen=True) for touch in touches[first:]]

    def bytes_moved(self, call, touches, is_load):
        """By a copy: those of the box of its descriptor, or of the elements that it says to touch; 0: not known."""
        touches = [touch for touch in touches if touch.is_write is is_load]
        said = [math.prod(count for count, _ in touch.spans) * bits_of(touch.dtype) // 8
                for touch in touches if touch.is_exact and touch.spans]
        moved = said[0] if len(said) == len(touches) == 1 else 0
        source, boxes = call.args[0], self.known.boxes
        if call_name(source).endswith("create_tma_descriptor"):
            return box_bytes(source) or 0
        if call_name(source) in POINTERS:
            # tma_load(to, from, mbarrier, bytes, ...), tma_store(to, from, bytes, ...)
            return constant(call.args[3 if is_load else 2]) or 0
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
        if name.endswith(("ptx_stmatrix", "tma_load", "tma_load_im2col")) or reduces(call):
            mask = 2
        is_transposed = transposes(call)
        if is_transposed is not None:
            extent = MATRIX_ROW_BITS // bits_of(dtype)
        if reduces(call):
            extent = reduced_through(call, dtype)
        if "atomic" in name and not arg.same_as(call.args[0]):
            mask = 1
        # Whether all of the extent is touched only these promise.
        is_exact = extent is not None and (is_transposed is not None or reduces(call) or
                                           any(word in name for word in ("cp_async", "tma_load", "tma_store")))
        for bit, is_write in ((1, False), (2, True)):
            if mask & bit:
                touches.append(Touch(buffer, is_write, terms, ((extent or 1, 1),), dtype, is_exact, "cp_async" in name,
                                     is_transposed=is_transposed))
