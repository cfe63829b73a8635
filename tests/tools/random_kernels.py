#!/usr/bin/env python3
"""Writes a valid TileLang kernel, by seed and size.

usage: random_kernels.py --seed N [--size N]

It has no race, reads nothing that was not written, and computes whole numbers only (random_kernel.py):
iterations of T.Parallel write elements of their own and read no tile that they write but there, single
threads the same, blocks write parts of their own. It may still be refused, for the layout of a
fragment, say. What `tilescope exec` needs besides stands in a comment at the end.
"""

import argparse
import re

import random_elements
import random_threads
from random_kernel import BITS, INTEGERS, LIMITS, Kernel, Loop, Tile

GEMM_TYPES = {"float16": "float32", "bfloat16": "float32", "float32": "float32", "int8": "int32"}
MOST_TRIPS = 8


# --- tile operations ---

def tensor_to_read(kernel, rank, dtype):
    """An input of this rank; extents are free: what is outside reads as 0."""
    known = [name for name, extents, type_ in kernel.params if name.startswith("A") and
             (len(extents), type_) == (rank, dtype)]
    if known and kernel.chance.random() < 0.6:
        return kernel.chance.choice(known)
    extents = [kernel.chance.choice([64, 90, 128, 192, 200] if axis > rank - 3 else [2, 3]) for axis in range(rank)]
    if kernel.dynamic and kernel.chance.random() < 0.6:
        extents[0] = kernel.chance.choice(list(kernel.dynamic))
    return kernel.new_tensor("A", extents, dtype)


def start_of(kernel, extent):
    """Where along an axis a tile is read, as text."""
    variables = kernel.blocks() + [loop.name for loop in kernel.loops]
    inner = kernel.loops[-1].name if kernel.loops else kernel.chance.choice(variables)
    choices = [f"{inner} * {extent}", f"{inner} * {extent}", f"{kernel.chance.choice(variables)} * {extent}",
               f"{inner} * {kernel.chance.choice([4, 8, 16])}", "0", str(kernel.chance.choice([1, 8, 16]))]
    return kernel.chance.choice(choices)


def load(kernel, tile=None):
    chance = kernel.chance
    tile = tile or pick(chance, kernel.writable(scopes=("shared", "shared", "fragment")))
    if not tile:
        return
    dtype = tile.dtype
    if chance.random() < 0.15:
        dtype = pick(chance, [other for other in kernel.dtypes if (other in INTEGERS) == (dtype in INTEGERS)]) or dtype
    name = tensor_to_read(kernel, max(2, len(tile.shape)), dtype)
    starts = [start_of(kernel, extent) for extent in tile.shape]
    slices = [f"{start}:{start} + {extent}" for start, extent in zip(starts, tile.shape)]
    if len(tile.shape) == 1:
        slices.insert(0, chance.choice([*kernel.blocks(), "0"]))
    elif chance.random() < 0.5:
        slices = starts
    kernel.write(f"T.copy({name}[{', '.join(slices)}], {tile.name})")
    kernel.ready.add(tile.name)


def store(kernel, tile=None):
    """To an output of its own; in loops each iteration to a slice of its own."""
    tile = tile or pick(kernel.chance, kernel.readable(scopes=("shared", "fragment")))
    if not tile or not all(loop.is_known for loop in kernel.loops):
        return
    origin, extents = kernel.part(tile.shape)
    loops = kernel.loops
    name = kernel.new_tensor("O", [*(loop.trips for loop in loops), *extents], tile.dtype)
    iteration = [loop.name if loop.start == 0 else f"{loop.name} - {loop.start}" for loop in loops]
    target = Tile(name, tile.shape, tile.dtype, "global", (*iteration, *origin))
    kernel.write(f"T.copy({tile.name}, {target.whole()})")


def move(kernel):
    """Between tiles of one shape; the types may differ where the limit allows it."""
    source = pick(kernel.chance, kernel.readable())
    if not source:
        return
    targets = [tile for tile in kernel.writable(shape=source.shape)
               if tile != source and LIMITS[tile.dtype] >= LIMITS[source.dtype]
               and (tile.dtype in INTEGERS) == (source.dtype in INTEGERS)]
    target = pick(kernel.chance, targets)
    if target:
        kernel.write(f"T.copy({source.whole()}, {target.whole()})")
        kernel.ready.add(target.name)


def move_rows(kernel):
    """Rows of a shared tile through a fragment to other rows of it: the two parts overlap."""
    tile = pick(kernel.chance, kernel.readable(scopes=("shared",), rank=2))
    if not tile or tile.shape[0] < 16:
        return
    rows = tile.shape[0] // 2
    shape = (rows, tile.shape[1])
    fragment = (pick(kernel.chance, kernel.writable(scopes=("fragment",), shape=shape, dtypes=[tile.dtype]))
                or kernel.new_tile("fragment", shape, tile.dtype))
    first, second = kernel.chance.sample([0, rows // 2, rows], 2)
    kernel.write(f"T.copy({tile.name}[{first}:{first + rows}, :], {fragment.name})")
    kernel.write(f"T.copy({fragment.name}, {tile.name}[{second}:{second + rows}, :])")
    kernel.ready.add(fragment.name)


def move_slots(kernel):
    """Through a tile with two places, of which the loop says which one is used."""
    chance = kernel.chance
    source = pick(chance, kernel.readable(scopes=("shared", "fragment")))
    if not source:
        return
    shape = (2, *source.shape)
    slots = (pick(chance, kernel.writable(scopes=("shared",), shape=shape, dtypes=[source.dtype]))
             or kernel.new_tile("shared", shape, source.dtype))
    targets = kernel.writable(scopes=("shared", "fragment"), shape=source.shape, dtypes=[source.dtype])
    index = f"{kernel.loops[-1].name} % 2" if kernel.loops else str(chance.randint(0, 1))
    place = f"{slots.name}[{index}, {', '.join(f'0:{extent}' for extent in source.shape)}]"
    kernel.write(f"T.copy({source.name}, {place})")
    if chance.random() < 0.5:
        statements(kernel, 1)
    kernel.write(f"T.copy({place}, {chance.choice(targets).name})")


def fill(kernel):
    tile = pick(kernel.chance, kernel.writable(scopes=("shared", "fragment")))
    if tile:
        number = kernel.chance.randint(-3, 3)
        kernel.write(kernel.chance.choice([f"T.clear({tile.name})", f"T.fill({tile.name}, {number})"]))
        kernel.ready.add(tile.name)


def reduce_tile(kernel):
    dtypes = ["float32", "int32", "float16"]
    source = pick(kernel.chance, kernel.readable(scopes=("shared", "fragment"), dtypes=dtypes, rank=2))
    if not source:
        return
    axis = kernel.chance.choice([0, 1, 1])
    kind = kernel.chance.choice(["sum", "max", "min", "abssum", "absmax"])
    dtype = "float32" if source.dtype == "float16" and kind in ("sum", "abssum") else source.dtype
    shape = (source.shape[1 - axis],)
    target = (pick(kernel.chance, kernel.writable(scopes=("shared", "fragment"), shape=shape, dtypes=[dtype]))
              or kernel.new_tile(kernel.chance.choice(["fragment", "fragment", "shared"]), shape, dtype))
    more = ", clear=False" if target.name in kernel.ready and kernel.chance.random() < 0.3 else ""
    kernel.write(f"T.reduce_{kind}({source.name}, {target.name}, dim={axis}{more})")
    kernel.ready.add(target.name)
    random_elements.limit(kernel, target)


def cumsum(kernel):
    tile = pick(kernel.chance, kernel.readable(scopes=("shared", "fragment"), dtypes=["float32", "int32"]))
    if tile:
        axis, reverse = kernel.chance.randrange(len(tile.shape)), kernel.chance.random() < 0.3
        kernel.write(f"T.cumsum({tile.name}, dim={axis}{', reverse=True' if reverse else ''})")
        random_elements.limit(kernel, tile)


def atomic_add(kernel):
    """Each block to a part of its own, or all of them to one place."""
    source = pick(kernel.chance, kernel.readable(scopes=("shared", "fragment"), dtypes=["float32", "int32"]))
    if not source:
        return
    origin, extents = kernel.part(source.shape)
    name = kernel.new_tensor("X", extents, source.dtype)
    if kernel.chance.random() < 0.5:
        origin = ("0",) * len(origin)
    random_elements.atomic_add(kernel, source, Tile(name, source.shape, source.dtype, "global", origin))


# --- gemm ---

def result_shape(kernel):
    """One that the warps of a block can share in tiles of 16 x 8."""
    warps = kernel.threads // 32
    extents = sorted({max(16, extent // 16 * 16) for extent in kernel.dims})
    shapes = [(rows, columns) for rows in extents for columns in extents
              if any(warps % high == 0 and rows % (16 * high) == 0 and columns % (8 * warps // high) == 0
                     for high in range(1, warps + 1))]
    return kernel.chance.choice(shapes or [(16 * warps, 16)])


def gemm_plan(kernel):
    """(a, b, accumulator, keywords). Operands need not be ready."""
    chance = kernel.chance
    dtype = chance.choice([dtype for dtype in kernel.dtypes if dtype in GEMM_TYPES])
    step = 256 // BITS[dtype]
    rows, columns = result_shape(kernel)
    inner = max(step, chance.choice(kernel.dims[:3]) // step * step)
    transposed = [chance.random() < 0.4, chance.random() < 0.4]
    # Eight-bit operands stand with k as columns.
    if BITS[dtype] == 8 and chance.random() < 0.8:
        transposed = [False, True]
    shapes = [(inner, rows) if transposed[0] else (rows, inner),
              (columns, inner) if transposed[1] else (inner, columns)]
    scopes = [chance.choice(["shared", "shared", "shared", "fragment"]), "shared"]
    operands = [pick(chance, [tile for tile in kernel.writable(scopes=(scope,), shape=shape, dtypes=[dtype])])
                or kernel.new_tile(scope, shape, dtype) for scope, shape in zip(scopes, shapes)]
    sums = kernel.new_tile("fragment", (rows, columns), GEMM_TYPES[dtype])
    keywords = "".join(f", {name}=True" for name, is_set in zip(["transpose_A", "transpose_B"], transposed) if is_set)
    if chance.random() < 0.3:
        keywords += f", policy=T.GemmWarpPolicy.{chance.choice(['Square', 'FullRow', 'FullCol'])}"
    return (*operands, sums, keywords)


def write_gemm(kernel, plan, clears=""):
    a, b, sums, keywords = plan
    kernel.write(f"T.gemm({a.name}, {b.name}, {sums.name}{keywords}{clears})")
    kernel.ready.add(sums.name)


def gemm(kernel):
    if kernel.threads % 32:
        return
    plan = gemm_plan(kernel)
    for operand in plan[:2]:
        if operand.name not in kernel.ready or kernel.chance.random() < 0.5:
            load(kernel, operand)
    if kernel.chance.random() < 0.4:
        write_gemm(kernel, plan, ", clear_accum=True")
    else:
        kernel.write(f"T.clear({plan[2].name})")
        write_gemm(kernel, plan)
    random_elements.limit(kernel, plan[2])


# --- control flow ---

def loop_header(kernel, name):
    """(text, Loop) of a loop that is run so often that a kernel stays small."""
    chance = kernel.chance
    trips = chance.choice([trips for trips in [1, 2, 2, 3, 4, 4, 5] if trips * kernel.trips() <= MOST_TRIPS] or [1])
    extent, is_known = str(trips), True
    if kernel.dynamic and chance.random() < 0.5:
        dimension, value = chance.choice(list(kernel.dynamic.items()))
        if -(-value // 16) * kernel.trips() <= MOST_TRIPS:
            extent, trips, is_known = f"T.ceildiv({dimension}, 16)", -(-value // 16), False
    kind = chance.choice(["Pipelined"] * 4 + ["serial", "serial", "unroll"])
    stages = f", num_stages={chance.randint(0, 4)}" if kind == "Pipelined" else ""
    start = ""
    if is_known and kind == "serial" and chance.random() < 0.3:
        start, extent = "1, ", str(trips + 1)
    return f"T.{kind}({start}{extent}{stages})", Loop(name, trips, is_known, 1 if start else 0)


def loop(kernel):
    if len(kernel.loops) == 2:
        return
    chance = kernel.chance
    # Siblings have one name.
    name = "kl"[len(kernel.loops)]
    plan = gemm_plan(kernel) if chance.random() < 0.6 and kernel.threads % 32 == 0 else None
    text, new = loop_header(kernel, name)
    if plan:
        kernel.write(f"T.clear({plan[2].name})")
        kernel.locked.add(plan[2].name)
    header = len(kernel.lines)
    kernel.write(f"for {name} in {text}:")
    before = set(kernel.ready)
    kernel.depth += 1
    kernel.loops.append(new)
    if plan:
        loop_body_of_gemm(kernel, plan)
    elif chance.random() < 0.3:
        # Nothing but copies in, one after the other, and what is made of them.
        for _ in range(chance.randint(1, 3)):
            load(kernel)
        random_elements.map_tile(kernel)
    else:
        statements(kernel, chance.randint(2, 5))
    if chance.random() < 0.15:
        schedule(kernel, header)
    kernel.loops.pop()
    kernel.depth -= 1
    if not new.is_known:
        kernel.ready = before | ({plan[2].name} if plan else set())
    if plan:
        kernel.locked.discard(plan[2].name)
        random_elements.limit(kernel, plan[2])


def schedule(kernel, header):
    """An explicit schedule in place of a number of stages: statements stay in order."""
    body = [line[4 * (kernel.depth + 3):] for line in kernel.lines[header + 1:]]
    count = sum(not line.startswith((" ", "else", "T.evaluate")) for line in body)
    stages = sorted(kernel.chance.randint(0, 2) for _ in range(count))
    kernel.lines[header] = re.sub(r"num_stages=\d", f"order={list(range(count))}, stage={stages}", kernel.lines[header])


def loop_body_of_gemm(kernel, plan):
    for operand in plan[:2]:
        if operand.name not in kernel.ready or kernel.chance.random() < 0.8:
            load(kernel, operand)
        if kernel.chance.random() < 0.25:
            statements(kernel, 1)
    write_gemm(kernel, plan)
    if kernel.chance.random() < 0.4:
        statements(kernel, kernel.chance.randint(1, 3))


def condition(kernel):
    """One on which all threads of a block agree."""
    variables = kernel.blocks() + [loop.name for loop in kernel.loops]
    variable, limit = kernel.chance.choice(variables), kernel.chance.randint(0, 2)
    comparison = kernel.chance.choice(["==", "!=", "<", ">"])
    return kernel.chance.choice([f"{variable} {comparison} {limit}", f"{variable} % 2 == 0",
                                 *(f"{variable} * 16 < {name}" for name in kernel.dynamic)])


def branch(kernel):
    """What only one branch writes is not written behind it."""
    if kernel.depth >= 3:
        return
    before = set(kernel.ready)
    kernel.write(f"if {condition(kernel)}:")
    indented_statements(kernel)
    if kernel.chance.random() < 0.4:
        first = kernel.ready
        kernel.ready = set(before)
        kernel.write("else:")
        indented_statements(kernel)
        kernel.ready &= first
    else:
        kernel.ready = before


def indented_statements(kernel):
    kernel.depth += 1
    statements(kernel, kernel.chance.randint(1, 3))
    kernel.depth -= 1


# Statements, and how often each is chosen.
MENU = {
    load: 4, store: 2, move: 3, move_rows: 1, move_slots: 1, fill: 1, reduce_tile: 2, cumsum: 1, atomic_add: 1, gemm: 2,
    loop: 4, branch: 2,
    random_elements.map_tile: 6, random_elements.map_two: 1, random_elements.row_sums: 1,
    random_elements.sized_at_launch: 1, random_elements.counted: 1,
    random_threads.each_element: 1, random_threads.own_memory: 1, random_threads.some_threads: 1,
    random_threads.barrier: 1,
}


def pick(chance, things):
    return chance.choice(things) if things else None


def statements(kernel, count):
    """At least one line."""
    lines = len(kernel.lines)
    for _ in range(count):
        kernel.chance.choices(list(MENU), MENU.values())[0](kernel)
    if len(kernel.lines) == lines:
        kernel.write("T.evaluate(0)")


def global_part(kernel):
    """A tensor that is read and written, a part by each block."""
    shape = kernel.chance.choices(kernel.dims, k=kernel.chance.choice([1, 2, 2]))
    dtype = kernel.chance.choice(kernel.dtypes)
    origin, extents = kernel.part(shape)
    tile = Tile(kernel.new_tensor("X", extents, dtype), tuple(shape), dtype, "global", origin)
    kernel.tiles.append(tile)
    kernel.ready.add(tile.name)


def random_kernel(seed, size=6):
    kernel = Kernel(seed)
    chance = kernel.chance
    for name in kernel.dynamic:
        kernel.new_tensor("A", [name, 64], chance.choice(kernel.dtypes))
    for _ in range(chance.randint(3, 7)):
        scope = chance.choice(["shared", "shared", "fragment"])
        shape = chance.choices(kernel.dims, k=chance.choice([1, 2, 2, 2]))
        kernel.new_tile(scope, shape, chance.choice(kernel.dtypes))
    for _ in range(chance.choice([0, 1, 1])):
        global_part(kernel)
    if chance.random() < 0.1:
        kernel.write(f"T.use_swizzle({chance.choice([1, 2, 4])})")
    statements(kernel, size)
    for tile in kernel.readable(scopes=("shared", "fragment")):
        if chance.random() < 0.7:
            store(kernel, tile)
    if not any(name[0] in "OX" for name, _, _ in kernel.params):
        tile = kernel.tiles[0]
        load(kernel, tile)
        store(kernel, tile)
    return kernel


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", type=int, default=6, help="statements of the kernel, not counting those in loops")
    options = parser.parse_args()
    kernel = random_kernel(options.seed, options.size)
    print(kernel.text(), end="")
    print(f"# tilescope exec FILE --every-pass {' '.join(kernel.arguments())}")


if __name__ == "__main__":
    main()
