"""Mbarriers and TMA: what a program says of them, as core/access/access_program.h has it. Nothing of it is judged here.

    %bar = ttg.memdesc_index %bars[%slot]       number `slot` of the mbarriers of an allocation
    ttng.barrier_expect %bar, 32768, %pred      one thread arrives, and 32768 bytes more are expected
    ttng.async_tma_copy_global_to_local ... %tile, %bar, %pred
    ttng.wait_barrier %bar, %phase              until a phase of this parity has ended"""

from tilescope.recorder.triton.descriptors import descriptor_of, is_descriptor
from tilescope.recorder.triton.values import trips

MOST_TRIPS = 4096

MORE, LESS = 4, 2  # predicates of arith.cmpi: signed


def reference(program, value, operation) -> dict | None:
    """A MbarrierRef; None: it is not known of which allocation."""
    pointer = program.values.pointer(value)
    first = None if pointer is None else program.first_mbarrier.get(pointer.buffer.id)
    if first is None:
        program.lose("which mbarrier is meant by", operation)
        return None
    slot = program.slot(pointer)
    kind = slot.get("kind", "constant")
    if kind == "constant":
        return {"first": first + slot.get("offset", 0)}
    if kind == "dynamic":
        return {"first": first, "modulus": 0}
    counter = {"offset": slot["offset"], "terms": [{"loop": slot["loop"]}]}
    return {"first": first, "modulus": slot["modulus"], "counter": counter}


def touch(program, value, operation, **fields) -> list[dict]:
    """The mbarrier as bytes of shared memory."""
    return program.access(operation, value, **fields)


def visit_init(program, operation) -> list[int]:
    at, arrivals = reference(program, operation.operands[0], operation), operation.integers.get("count", 0)
    nodes = program.leaf(operation, touch(program, operation.operands[0], operation, kind="write", full=True))
    if at is not None and at.get("modulus", 1) == 1:
        program.mbarriers[at["first"]]["arrivals"] = arrivals
        for node in nodes:
            program.nodes[node]["begins"] = at["first"]
    return one_thread(program, nodes)


def visit_end(program, operation) -> list[int]:
    return one_thread(program, program.leaf(operation, touch(program, operation.operands[0], operation, kind="write")))


def visit_expect(program, operation) -> list[int]:
    """One thread: it also arrives."""
    at = reference(program, operation.operands[0], operation)
    nodes = program.leaf(operation, touch(program, operation.operands[0], operation, atomic=True))
    if at is not None:
        nodes += [program.add("expect", operation, mbarrier=at, bytes=operation.integers.get("size", 0)),
                  program.add("arrive", operation, mbarrier=at, count=1)]
    return guarded(program, operation, predicates_of(operation), one_thread(program, nodes))


def visit_arrive(program, operation) -> list[int]:
    """How many of the threads come is not followed."""
    at = reference(program, operation.operands[0], operation)
    nodes = program.leaf(operation, touch(program, operation.operands[0], operation, atomic=True))
    nodes += [program.add("arrive", operation, mbarrier=at)] if at is not None else []
    return guarded(program, operation, predicates_of(operation), nodes)


def visit_wait(program, operation) -> list[int]:
    at = reference(program, operation.operands[0], operation)
    nodes = program.leaf(operation, touch(program, operation.operands[0], operation, atomic=True))
    if at is None:
        return nodes
    divisor = max(at.get("modulus", 1), 1)
    parity = parity_of(program, operation.operands[1], divisor)
    nodes.append(program.add("waitPhase", operation, mbarrier=at, parity=parity or {"divisor": 0}))
    return guarded(program, operation, predicates_of(operation), nodes)


def parity_of(program, value, divisor: int) -> dict | None:
    """(counter / divisor) mod 2, in all iterations; None: it is none such."""
    sequence = program.values.sequence(value)
    if sequence is None:
        return None
    if sequence.loop is None or len(set(sequence.first)) == 1:
        return {"counter": {"offset": sequence.first[0] % 2}} if sequence.first[0] in (0, 1) else None
    if sequence.period % (2 * divisor) or sequence.loop not in program.loops:
        return None
    fits = (offset for offset in range(2 * divisor)
            if all(value == (k + offset) // divisor % 2 for k, value in enumerate(sequence.first)))
    offset = next(fits, None)
    return None if offset is None else {
        "counter": {"offset": offset, "terms": [{"loop": sequence.loop}]}, "divisor": divisor}


def visit_copy(program, operation) -> list[int]:
    """Its descriptors are the tile and the mbarrier, by which elements they have."""
    found = [(value, descriptor_of(type_)) for value, type_ in zip(operation.operands, operation.operand_types)
             if is_descriptor(type_)]
    tiles = [(value, tile) for value, tile in found if tile is not None and tile.element != "i64"]
    barriers = [value for value, tile in found if tile is not None and tile.element == "i64"]
    if len(tiles) != 1 or len(barriers) != 1:
        program.lose("what is copied by", operation)
        return []
    at = reference(program, barriers[0], operation)
    if at is None:
        return []
    fields = {"kind": "write", "full": True, "async": True, "asyncProxy": True, "mbarrier": at, "bytes": tiles[0][1].bytes}
    nodes = program.leaf(operation, program.access(operation, tiles[0][0], **fields))
    return guarded(program, operation, predicates_of(operation), one_thread(program, nodes))


def one_thread(program, nodes) -> list[int]:
    for node in nodes:
        program.nodes[node]["oneThread"] = True
    return nodes


# ---- Predicates


def predicates_of(operation) -> list[int]:
    return [value for value, type_ in zip(operation.operands, operation.operand_types) if type_ == "i1"]


def guarded(program, operation, predicates, nodes) -> list[int]:
    """The nodes under a condition, which is none where all predicates are true."""
    predicates = [value for value in predicates if not program.values.constant(value)]
    if not nodes or not predicates:
        return nodes
    only = predicates[0] if len(predicates) == 1 else None
    known = {} if only is None else guard_of(program, only) or range_of(program, only) or {}
    node = program.add("if", operation, **known)
    program.nodes[node]["children"] = [program.sequence(nodes)]
    return [node]


def guard_of(program, predicate) -> dict | None:
    """{guardLoop, guardDistance}: k + distance < trips of a loop that counts from 0 in steps of 1."""
    compare, _ = program.values.definitions.get(predicate, (None, 0))
    if compare is None or compare.name != "arith.cmpi":
        return None
    first, second = compare.operands
    for loop in program.counted_loops:
        count, distance = loop.operands[1], None
        if compare.integers.get("predicate") == MORE and first == count:
            distance = program.values.constant(second)
        elif compare.integers.get("predicate") == LESS and first == loop.regions[0][0].arguments[0]:
            less, _ = program.values.definitions.get(second, (None, 0))
            if less is not None and less.name == "arith.subi" and less.operands[0] == count:
                distance = program.values.constant(less.operands[1])
        if distance is not None and distance >= 0:
            return {"guardLoop": loop, "guardDistance": distance}
    return None


def range_of(program, predicate) -> dict | None:
    """{rangeLoop, rangeBegin, rangeEnd}: the iterations of a loop around in which it holds, if they follow each other."""
    needed = program.values.arguments_of(predicate)
    loops = [loop for loop in program.loops if needed == {loop.regions[0][0].arguments[0]}]
    count = trips(program.values, loops[0]) if loops else None
    if count is None or count > MOST_TRIPS:
        return None
    low, _, step = (program.values.constant(operand) for operand in loops[0].operands[:3])
    held = [program.values.evaluate(predicate, {argument: low + k * step for argument in needed}) for k in range(count)]
    if None in held:
        return None
    holds = [k for k, value in enumerate(held) if value]
    begin, end = (holds[0], holds[-1] + 1) if holds else (0, 0)
    return {"rangeLoop": loops[0], "rangeBegin": begin, "rangeEnd": end} if len(holds) == end - begin else None


def visit_acquire(program, operation) -> list[int]:
    """Of a descriptor of TMA that the kernel made: one warp does it, and its lowering lets the others wait."""
    return [program.meeting(operation)] if program.placed.ends_with_barrier(operation) else []


VISITS = {
    "ttng.init_barrier": visit_init,
    "ttng.inval_barrier": visit_end,
    "ttng.barrier_expect": visit_expect,
    "ttng.arrive_barrier": visit_arrive,
    "ttng.wait_barrier": visit_wait,
    "ttng.async_tma_copy_global_to_local": visit_copy,
    "ttng.tensormap_fenceproxy_acquire": visit_acquire,
}
