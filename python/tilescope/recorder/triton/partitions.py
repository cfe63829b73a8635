"""Warp groups that do different things: the lanes of a node `roles`.

    ttg.warp_specialize(%bars, %tiles)       its warps first keep in shared memory what the others are given
    default { ... ttg.warp_yield }           those that came here
    partition0(%0, %1) num_warps(4) { ... }  others, which waited for this since the kernel began

Its lowering lets all threads of the block meet when that is kept, again when it is read, and at the end. Barriers inside are
of the threads of one lane."""

import re

PARTITION = re.compile(r"^\s*partition\d+\(.*\) num_warps\((\d+)\)", re.MULTILINE)
SPECIALIZE, PARTITIONS = "ttg.warp_specialize", "ttg.warp_specialize.partitions"
ALL_MEET = re.compile(r"^\s*barrier\.sync\s+1;", re.MULTILINE)


def mark_warps(module, text: str):
    """Sets `warps` of each operation that has partitions, of which the bindings do not say them."""
    printed = [int(number) for number in PARTITION.findall(text)]
    found = [operation for operation in module.inside() if operation.name == PARTITIONS]
    if sum(len(operation.regions) for operation in found) != len(printed):
        return
    for operation in found:
        operation.warps, printed = printed[:len(operation.regions)], printed[len(operation.regions):]


def partitions_in(operation):
    """Of a SPECIALIZE the PARTITIONS that it holds; None: of a form that is not known."""
    inner = [each for region in operation.regions[1:] for block in region for each in block.operations]
    return inner[0] if len(operation.regions) == 2 and [each.name for each in inner] == [PARTITIONS] else None


def all_meet(module, ptx: str) -> bool:
    """Whether the code lets all threads meet as often as the lowering of each SPECIALIZE does: three times where warps come to it;
    the others when they are sent to a partition, when that has read what it was given, and when one is done."""
    several = [operation for operation in module.inside() if operation.name == SPECIALIZE]
    partitions = sum(len(found.regions) for each in several if (found := partitions_in(each)) is not None)
    return len(ALL_MEET.findall(ptx)) >= 3 * len(several) + partitions + 2


def bytes_of_orders(module) -> int:
    """A byte for each warp that waits for its partition to begin."""
    return max(0, module.integers.get("ttg.total-num-warps", 0) - module.integers.get("ttg.num-warps", 0))


def orders_of(program, function):
    """The buffer that says to the warps which wait what to do, which is of the function; None: it has none."""
    size = program.placed.size(function)
    if not size:
        return None
    buffer = program.buffers.scratch(function, size)
    buffer.name, buffer.offset = "orders", program.place(function)
    program.allocating.add(function)
    return buffer


def orders(program, operation, **fields) -> list[int]:
    return [] if program.orders is None else program.leaf(operation, [{"buffer": program.orders.id, **fields}])


def last_orders(program, function) -> list[int]:
    """To the warps that wait: to end."""
    if program.orders is None:
        return []
    meet = met(program, function, program.placed.do_all_meet())
    return [*orders(program, function, kind="write", full=True), *meet, *orders(program, function)]


def visit(program, operation) -> list[int]:
    inner = partitions_in(operation)
    if inner is None or program.lane is not None:
        program.lose("what warps do in", operation)
        return []
    do_meet = program.placed.do_all_meet()
    children = kept(program, operation, do_meet)
    lanes = [operation.regions[0], *inner.regions]
    threads = [program.warp_threads * warps for warps in (program.warps, *(inner.warps or [0] * len(inner.regions)))]
    roles = program.add("roles", operation)
    found = []
    for number, (blocks, count) in enumerate(zip(lanes, threads)):
        program.lane = (number + 1, count)
        found.append(program.sequence(program.paths(blocks)))
    program.lane = None
    idle = program.threads - sum(threads)
    if all(threads) and idle > 0:
        found.append(program.sequence([]))
        threads.append(idle)
    program.nodes[roles] |= {"children": found, "laneThreads": threads}
    return [*children, roles, *met(program, operation, do_meet)]


def met(program, operation, do_meet) -> list[int]:
    return [program.add("barrier", operation, scope="block")] if do_meet else []


def kept(program, operation, do_meet) -> list[int]:
    """What partitions are given: written, and read before any of them begins."""
    size, written, read = program.placed.size(operation), [], []
    if size:
        buffer = program.buffers.scratch(operation, size)
        buffer.offset = program.place(operation)
        program.allocating.add(operation)
        written = program.leaf(operation, [{"buffer": buffer.id, "kind": "write", "full": True}])
        read = program.leaf(operation, [{"buffer": buffer.id}])
    return [*written, *orders(program, operation, kind="write", full=True), *met(program, operation, do_meet), *read,
            *orders(program, operation), *met(program, operation, do_meet)]
