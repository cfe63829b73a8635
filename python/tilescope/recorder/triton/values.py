"""Which buffer a memory descriptor points into, and which slot of it in each iteration of a loop.

The pipeliner counts slots by values that a loop carries:

    %slot = arith.select (%before + 1 >= 3), 0, %before + 1

Iterations are followed with numbers, until all that the slot depends on is as it was in an iteration before. From there on
it repeats, so that what is read off is so in all iterations, of which there may be any number."""

import dataclasses

from tilescope.recorder.triton.module_copy import Operation
from tilescope.recorder.triton.partitions import PARTITIONS

ALIASES = ("ttg.memdesc_index", "ttg.memdesc_subslice", "ttg.memdesc_trans", "ttg.memdesc_reshape",
           "ttg.memdesc_reinterpret")
MOST_ITERATIONS = 256
BINARY = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.xori": lambda a, b: a ^ b,
    "arith.andi": lambda a, b: a & b,
    "arith.remui": lambda a, b: a % b if a >= 0 and b > 0 else None,
    "arith.remsi": lambda a, b: a % b if a >= 0 and b > 0 else None,
    "arith.divui": lambda a, b: a // b if a >= 0 and b > 0 else None,
    "arith.divsi": lambda a, b: a // b if a >= 0 and b > 0 else None,
}
COMPARISONS = {0: lambda a, b: a == b, 1: lambda a, b: a != b, 2: lambda a, b: a < b, 3: lambda a, b: a <= b,
               4: lambda a, b: a > b, 5: lambda a, b: a >= b}

BEHIND = -1  # an index behind a loop, which depends on how often that runs
CASTS = ("arith.extsi", "arith.extui", "arith.index_cast")
FOLLOWED = {*BINARY, *CASTS, "arith.select", "arith.cmpi"}


@dataclasses.dataclass(frozen=True)
class Carried:
    """The index of a descriptor that a loop carries: before the loop, and what an iteration hands to the next."""

    loop: Operation
    before: object
    handed_on: object


@dataclasses.dataclass(frozen=True)
class Pointer:
    """`index`: the value or the Carried that chooses one of the buffer's slots, None: the whole buffer. `is_part`: of
    that, a part."""

    buffer: object
    index: object = None
    is_part: bool = False


@dataclasses.dataclass(frozen=True)
class Sequence:
    """The value in iteration k of `loop`: `first[k]`, and from `len(first)` on the last `period` of these again and again."""

    first: tuple[int, ...]
    period: int
    loop: Operation | None

    def is_counted(self, modulus: int) -> bool:
        """(k + offset) mod modulus, in all iterations; the offset is the first value."""
        return self.period % modulus == 0 and all(
            value == (k + self.first[0]) % modulus for k, value in enumerate(self.first))


class Values:
    """Of one function."""

    def __init__(self, function: Operation):
        self.definitions, self.arguments = {}, {}
        for operation in function.inside():
            for at, result in enumerate(operation.results):
                self.definitions[result] = (operation, at)
            for block in operation.blocks():
                for at, argument in enumerate(block.arguments):
                    self.arguments[argument] = (operation, at)
        self.buffers = {}  # by the value of what allocates them
        self.given = {}  # arguments of partitions, and of functions that are called: by what the caller gives
        for operation in function.inside():
            if operation.name == PARTITIONS:
                for region in operation.regions:
                    self.given |= dict(zip(region[0].arguments, operation.operands))

    # ---- Constants and loops

    def constant(self, value) -> int | None:
        return self.evaluate(value, {})

    def evaluate(self, value, known: dict) -> int | None:
        """With the values of arguments that are known; None: it depends on others."""
        if value in known:
            return known[value]
        if value in self.given:
            return self.evaluate(self.given[value], known)
        operation, _ = self.definitions.get(value, (None, 0))
        if operation is None:
            return None
        if operation.name == "arith.constant":
            return None if operation.constant is None else int(operation.constant)
        if operation.name not in FOLLOWED:
            return None
        given = [self.evaluate(operand, known) for operand in operation.operands]
        if operation.name == "arith.select":
            return None if given[0] is None else given[1 if given[0] else 2]
        if None in given:
            return None
        if operation.name in CASTS:
            return given[0]
        if operation.name == "arith.cmpi":
            compare = COMPARISONS.get(operation.integers.get("predicate"))
            return None if compare is None else int(compare(*given))
        return BINARY[operation.name](*given)

    def arguments_of(self, value) -> set:
        """Of loops, that it depends on within an iteration."""
        if value in self.given:
            return self.arguments_of(self.given[value])
        if value in self.arguments:
            return {value}
        operation, _ = self.definitions.get(value, (None, 0))
        if operation is None or operation.name not in FOLLOWED:
            return set()
        return set().union(*(self.arguments_of(operand) for operand in operation.operands))

    def sequence(self, value) -> Sequence | None:
        """None: it is not known, or depends on more than one loop."""
        if isinstance(value, Carried):
            return self.carried_sequence(value)
        needed, waiting = set(), self.arguments_of(value)
        while waiting:
            argument = waiting.pop()
            needed.add(argument)
            loop, at = self.arguments[argument]
            if loop.name != "scf.for" or at == 0:
                return None
            waiting |= self.arguments_of(carried(loop, at)) - needed
        loops = {self.arguments[argument][0] for argument in needed}
        if not loops:
            only = self.constant(value)
            return None if only is None else Sequence((only,), 1, None)
        return self.follow(value, loops.pop(), needed) if len(loops) == 1 else None

    def carried_sequence(self, index) -> Sequence | None:
        before, handed_on = self.sequence(index.before), self.sequence(index.handed_on)
        if None in (before, handed_on) or before.loop is not None or handed_on.loop not in (None, index.loop):
            return None
        return Sequence((*before.first, *handed_on.first), handed_on.period, index.loop)

    def follow(self, value, loop, needed) -> Sequence | None:
        places = {argument: self.arguments[argument][1] for argument in needed}
        state = {argument: self.constant(loop.operands[2 + at]) for argument, at in places.items()}
        seen, found = {}, []
        for k in range(MOST_ITERATIONS):
            if None in state.values():
                return None
            key = tuple(state[argument] for argument in places)
            if key in seen:
                return Sequence(tuple(found), k - seen[key], loop)
            seen[key] = k
            found.append(self.evaluate(value, state))
            if found[-1] is None:
                return None
            state = {argument: self.evaluate(carried(loop, at), state) for argument, at in places.items()}
        return None

    # ---- Descriptors

    def pointer(self, value, on_the_way=()) -> Pointer | None:
        if value in self.buffers:
            return Pointer(self.buffers[value])
        if value in on_the_way:
            return None
        on_the_way = (*on_the_way, value)
        if value in self.given:
            return self.pointer(self.given[value], on_the_way)
        if value in self.arguments:
            loop, at = self.arguments[value]
            return self.carried_pointer(loop, at, on_the_way) if loop.name == "scf.for" and at > 0 else None
        operation, at = self.definitions.get(value, (None, 0))
        if operation is None:
            return None
        if operation.name in ALIASES:
            return self.alias(operation, on_the_way)
        if operation.name == "ttng.warp_group_dot_wait" and at < len(operation.operands):
            return self.pointer(operation.operands[at], on_the_way)
        if operation.name == "scf.for":
            carried_on = self.carried_pointer(operation, at + 1, on_the_way)
            return carried_on and Pointer(carried_on.buffer, BEHIND if carried_on.index else None, carried_on.is_part)
        return None

    def alias(self, operation, on_the_way) -> Pointer | None:
        base = self.pointer(operation.operands[0], on_the_way)
        if base is None:
            return None
        if operation.name == "ttg.memdesc_index" and base.index is None and base.buffer.is_indexed:
            return Pointer(base.buffer, operation.operands[1], base.is_part)
        is_part = operation.name in ("ttg.memdesc_index", "ttg.memdesc_subslice", "ttg.memdesc_reinterpret")
        return Pointer(base.buffer, base.index, base.is_part or is_part)

    def carried_pointer(self, loop, at, on_the_way) -> Pointer | None:
        """Of what a loop carries: the same buffer before and in it, or none."""
        before = self.pointer(loop.operands[2 + at], on_the_way)
        handed_on = self.pointer(carried(loop, at), on_the_way)
        if None in (before, handed_on) or before.buffer is not handed_on.buffer:
            return None
        is_part = before.is_part or handed_on.is_part
        has_slots = None not in (before.index, handed_on.index)
        return Pointer(before.buffer, Carried(loop, before.index, handed_on.index) if has_slots else None, is_part)


def carried(loop, at):
    """What the loop's argument number `at` is in the next iteration. The first argument counts iterations."""
    return loop.regions[0][0].operations[-1].operands[at - 1]


def trips(values, loop) -> int | None:
    """Of a loop whose bounds are constants."""
    low, high, step = (values.constant(operand) for operand in loop.operands[:3])
    if None in (low, high, step) or step <= 0:
        return None
    return max(0, -(-(high - low) // step))
