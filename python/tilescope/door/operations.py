"""Operations: each of TileLang's to the one of core/ops/ops.def that it is, as a line of text."""

import dataclasses

from tvm import tirx

from .errors import NoCounterpart
from .expressions import Expressions, call_name, constant

POLICIES = ("square", "full_row", "full_col")  # by TileLang's number
REDUCTIONS = {"sum": "sum", "max": "max", "min": "min", "absmax": "abs_max", "abssum": "abs_sum"}
# Words for targets that are none of ours, or for instructions that lowering chooses itself.
HINTS = ("disable_tma", "eviction_policy", "k_pack", "wg_wait", "batch", "enable_fadd2", "memory_order")
# Facts for a prover and hints: nothing is to be done.
NOTHING = ("assume", "no_set_max_nreg", "disable_warp_group_reg_alloc")


@dataclasses.dataclass
class Region:
    buffer: object
    starts: list
    extents: list

    def wide(self):
        """Axes whose extent is not the constant 1."""
        return [axis for axis, extent in enumerate(self.extents) if constant(extent) != 1]

    def distance(self):
        """From the registers: those, shared memory, global memory."""
        scope = self.buffer.scope()
        return 0 if scope.startswith("local") else 1 if scope.startswith("shared") else 2


def region_of(expr) -> Region:
    """T.region(element, access, extents...)."""
    if type(expr) is tirx.BufferRegion:
        return Region(expr.buffer, [r.min for r in expr.region], [r.extent for r in expr.region])
    if call_name(expr) != "region":
        raise NoCounterpart("an operand that is no region of a buffer")
    element, _, *extents = expr.args
    return Region(element.buffer, list(element.indices), extents)


def match_extents(source: Region, destination: Region):
    """The extents of the operand nearer to the registers count; of the other only the start does."""
    leader, follower = sorted((source, destination), key=Region.distance)
    if len(leader.wide()) == len(follower.wide()):
        for axis, from_axis in zip(follower.wide(), leader.wide()):
            follower.extents[axis] = leader.extents[from_axis]


class Operations:
    """`line` gives the line of a call; None where nothing is to be done."""

    def __init__(self, expressions: Expressions):
        self.expressions = expressions
        self.by_name = {
            "copy": self.copy, "gemm": self.gemm, "fill": self.fill, "reduce": self.reduce, "cumsum": self.cumsum,
            "atomicadd": self.atomic_add, "atomic_add_elem_op": self.atomic_add_element,
            "tvm_storage_sync": self.barrier, "sync_warp": self.barrier, "ptx_commit_group": self.commit_group,
            "ptx_wait_group": self.wait_group,
        }

    def line(self, call) -> str | None:
        name = call_name(call)
        if name in NOTHING:
            return None
        if name not in self.by_name:
            raise NoCounterpart(f"T.{name}" if name else "a call of a function")
        return self.by_name[name](call)

    def written(self, name: str, *words: str | None) -> str:
        return f"T.{name}({', '.join(word for word in words if word)})"

    def region(self, region: Region) -> str:
        axes = map(self.expressions.range, region.starts, region.extents)
        return f"{self.expressions.buffer(region.buffer)}[{', '.join(axes) or '()'}]"

    def refuse_others(self, call, *known: str):
        for name in call.annotations:
            if name not in (*known, *HINTS):
                raise NoCounterpart(f"'{name}' of T.{call_name(call)}")

    def copy(self, call):
        self.refuse_others(call, "coalesced_width", "prefer_instruction")
        source, destination = map(region_of, call.args[:2])
        match_extents(source, destination)
        width = constant(call.annotations.get("coalesced_width", 0))
        prefer = getattr(call.annotations.get("prefer_instruction"), "value", "")
        return self.written("copy", self.region(source), self.region(destination),
                            f"coalesced_width={width}" if width else None,
                            f'prefer_instruction="{prefer}"' if prefer not in ("", "tma") else None)

    def gemm(self, call):
        self.refuse_others(call)
        a, b, c, transpose_a, transpose_b, _, _, _, policy, clear, barrier, *_ = call.args
        if type(barrier) is not tirx.IntImm:
            raise NoCounterpart("'mbar' of T.gemm")
        policy = POLICIES[constant(policy)]
        return self.written("gemm", *(self.region(region_of(operand)) for operand in (a, b, c)),
                            None if constant(clear) == 0 else f"clear_accum={self.expressions.condition(clear)}",
                            "transpose_A=True" if constant(transpose_a) else None,
                            "transpose_B=True" if constant(transpose_b) else None,
                            f'policy="{policy}"' if policy != "square" else None)

    def fill(self, call):
        self.refuse_others(call)
        region = region_of(call.args[0])
        value = self.expressions.converted(call.args[1], region.buffer.dtype)
        if not region.wide() and region.buffer.scope() == "local.var":
            return f"{self.expressions.element(region.buffer, region.starts)} = {value}"
        return self.written("fill", self.region(region), value)

    def reduce(self, call):
        self.refuse_others(call)
        source, out, kind, dim, clear = call.args
        if kind.value not in REDUCTIONS:
            raise NoCounterpart(f"T.reduce_{kind.value}")
        return self.written("reduce", self.region(region_of(source)), self.region(region_of(out)),
                            f'kind="{REDUCTIONS[kind.value]}"', f"dim={constant(dim)}",
                            None if constant(clear) else "clear=False")

    def cumsum(self, call):
        self.refuse_others(call)
        source, destination, dim, reverse = call.args
        return self.written("cumsum", self.region(region_of(source)), self.region(region_of(destination)),
                            f"dim={constant(dim)}", "reverse=True" if constant(reverse) else None)

    def atomic_add(self, call):
        self.refuse_others(call)
        source, destination = map(region_of, call.args[:2])
        match_extents(source, destination)
        return self.written("atomic_add", self.region(destination), self.region(source))

    def atomic_add_element(self, call):
        self.refuse_others(call)
        pointer, value = call.args[0], call.args[1]
        element = pointer.args[0] if call_name(pointer) in ("access_ptr", "address_of") else pointer
        if type(element) is not tirx.BufferLoad:
            raise NoCounterpart("T.atomic_add through a pointer")
        return self.written("atomic_add_element", self.expressions.element(element.buffer, element.indices),
                            self.expressions.converted(value, element.buffer.dtype))

    def barrier(self, call):
        if len(call.args) > (0 if call_name(call) == "sync_warp" else 1):
            raise NoCounterpart(f"T.{'sync_warp' if call_name(call) == 'sync_warp' else 'sync_threads'} of some threads")
        is_warp = call_name(call) == "sync_warp" or call.args[0].value == "warp"
        return self.written("barrier", 'scope="warp"' if is_warp else None)

    def commit_group(self, _):
        return self.written("commit_group")

    def wait_group(self, call):
        pending = constant(call.args[0])
        if pending is None:
            raise NoCounterpart("T.ptx_wait_group of a number that is not constant")
        return self.written("wait_group", f"pending={pending}" if pending else None)
