"""Element code of random kernels: T.Parallel over a tile, with operands of many kinds."""

from random_kernel import INTEGERS, LIMITS

NAMES = ("i", "j", "h")


def literal(dtype, number):
    return str(number) if dtype in INTEGERS else f"{number}.0"


def clamped(text, dtype, compute):
    limit = LIMITS[dtype]
    return f"T.clamp({text}, {literal(compute, -limit)}, {literal(compute, limit)})"


def cast(text, source, target):
    return text if source == target else f'T.cast({text}, "{target}")'


def header(tile, names):
    return f"for {', '.join(names)} in T.Parallel({', '.join(str(extent) for extent in tile.shape)}):"


def limit(kernel, tile):
    """Brings the elements back to the limit of their type."""
    names = NAMES[:len(tile.shape)]
    kernel.write(header(tile, names))
    kernel.write(f"    {tile.at(names)} = {clamped(tile.at(names), tile.dtype, tile.dtype)}")


def atomic_add(kernel, source, target):
    if kernel.chance.random() < 0.3:
        kernel.write(f"T.atomic_add({target.whole()}, {source.name})")
        return
    names = NAMES[:len(source.shape)]
    kernel.write(header(source, names))
    kernel.write(f"    T.atomic_add({target.at(names)}, {source.at(names)})")


def shifted(kernel, index, extent):
    """Another element along the same axis."""
    by = kernel.chance.choice([1, 3, extent // 2])
    return kernel.chance.choice([f"({index} + {by}) % {extent}", f"{extent - 1} - {index}", index])


def same_place(kernel, written, names):
    """Elements where the written one is; a fragment is spread over threads as all others of the loop are."""
    for tile in kernel.readable(shape=written.shape):
        yield tile, tile.at(names)
    if len(names) == 2:
        for axis, name in enumerate(names):
            for tile in kernel.readable(shape=(written.shape[axis],), scopes=("shared", "fragment")):
                yield tile, tile.at([name])


def other_place(kernel, written, names):
    """Elements that other iterations may stand at: of no tile that is written, and of no fragment."""
    for tile in kernel.readable(scopes=("shared", "global")):
        if tile.name == written.name:
            continue
        if tile.shape == written.shape:
            yield tile, tile.at([shifted(kernel, name, extent) for name, extent in zip(names, tile.shape)])
        elif tile.shape == written.shape[::-1]:
            yield tile, tile.at(names[::-1])
        elif len(tile.shape) == 1:
            yield tile, tile.at([f"({' + '.join(names)}) % {tile.shape[0]}"])


def gathered(kernel, names):
    """An element of an input, at an index that stands in another one."""
    if not kernel.indices:
        kernel.indices.append(kernel.new_tensor("I", [64], "int32"))
    tensors = [(name, dtype) for name, extents, dtype in kernel.params if name.startswith("A") and len(extents) == 2]
    for name, dtype in tensors[:2]:
        yield f"{name}[{kernel.indices[0]}[{names[0]} % 64] % 8, {names[-1]}]", dtype


def operands(kernel, written, names):
    """(text, dtype) of up to three operands."""
    chance = kernel.chance
    near = [(text, tile.dtype) for tile, text in same_place(kernel, written, names)]
    far = [(text, tile.dtype) for tile, text in other_place(kernel, written, names)]
    found = []
    for _ in range(chance.randint(1, 3)):
        pool = chance.choice([near, near, far])
        if pool:
            found.append(chance.choice(pool))
    if chance.random() < 0.1:
        found += list(gathered(kernel, names))[:1]
    if not found or chance.random() < 0.2:
        weights = " + ".join(f"{name} * {chance.randint(1, 5)}" for name in names)
        found.append((f"(({weights}) % 7 - 3)", "int32"))
    return found


def combined(kernel, texts, names, compute):
    """One expression of all operands, whose value is small."""
    chance = kernel.chance
    result = texts[0]
    for text in texts[1:]:
        product = f"({result}) * {text}" if len(texts) == 2 else f"{result} + {text}"
        result = chance.choice([f"{result} + {text}", f"{result} - {text}", f"T.max({result}, {text})",
                                f"T.min({result}, {text})", product])
    kind = chance.random()
    if kind < 0.1:
        result = f"T.abs({result})"
    elif kind < 0.3:
        otherwise = literal(compute, chance.randint(-2, 2))
        result = f"T.if_then_else({place_condition(kernel, names)}, {result}, {otherwise})"
    elif kind < 0.4:
        result = f"T.if_then_else({texts[0]} > {literal(compute, 0)}, {result}, {texts[-1]})"
    return result


def place_condition(kernel, names):
    chance = kernel.chance
    name = chance.choice(names)
    variables = kernel.blocks() + [loop.name for loop in kernel.loops]
    return chance.choice([f"{name} < {chance.randint(1, 20)}", f"{' + '.join(names)} > {chance.randint(1, 30)}",
                          f"{chance.choice(variables)} * 16 + {name} < {chance.randint(8, 60)}",
                          *(f"{chance.choice(variables)} * 16 + {name} < {dim}" for dim in kernel.dynamic)])


def value_for(kernel, tile, names):
    """Text of a value that the tile may hold."""
    found = operands(kernel, tile, names)
    # Widened before anything is computed.
    compute = "int32" if all(dtype in INTEGERS for _, dtype in found) and tile.dtype in INTEGERS else "float32"
    texts = [cast(text, dtype, compute) for text, dtype in found]
    value = clamped(combined(kernel, texts, names, compute), tile.dtype, compute)
    return cast(value, compute, tile.dtype)


def map_tile(kernel):
    chance = kernel.chance
    tiles = kernel.writable()
    if not tiles:
        return
    tile = chance.choice(tiles)
    names = NAMES[:len(tile.shape)]
    value = value_for(kernel, tile, names)
    is_masked = tile.name in kernel.ready and chance.random() < 0.2
    kernel.write(header(tile, names))
    if is_masked:
        kernel.write(f"    if {place_condition(kernel, names)}:")
    kernel.write(f"    {'    ' if is_masked else ''}{tile.at(names)} = {value}")
    kernel.ready.add(tile.name)


def map_two(kernel):
    """Two statements an iteration: the second one reads what the first one wrote, and a value that is used twice."""
    chance = kernel.chance
    first = kernel.writable()
    if not first:
        return
    tile = chance.choice(first)
    others = [other for other in kernel.writable(shape=tile.shape, dtypes=[tile.dtype]) if other != tile]
    if not others:
        return
    other = chance.choice(others)
    names = NAMES[:len(tile.shape)]
    # Neither of the two may be read at another place.
    hidden = {tile.name, other.name} - kernel.locked
    kernel.locked |= hidden
    value = value_for(kernel, tile, names)
    kernel.locked -= hidden
    kernel.write(header(tile, names))
    kernel.write(f"    value = {value}")
    kernel.write(f"    {tile.at(names)} = value")
    kernel.write(f"    {other.at(names)} = {clamped(f'{tile.at(names)} + value * 2', tile.dtype, tile.dtype)}")
    kernel.ready |= {tile.name, other.name}


def row_sums(kernel):
    """Each iteration of the parallel loop walks along a row of its own."""
    chance = kernel.chance
    sources = kernel.readable(scopes=("shared", "global"), rank=2, dtypes=["float32", "int32"])
    if not sources:
        return
    source = chance.choice(sources)
    targets = kernel.writable(shape=source.shape[:1], dtypes=[source.dtype])
    if not targets:
        return
    target = chance.choice(targets)
    kernel.write(header(target, "i"))
    kernel.write(f"    {target.at('i')} = {literal(source.dtype, 0)}")
    kernel.write(f"    for q in T.{chance.choice(['serial', 'unroll'])}({source.shape[1]}):")
    sums = f"{target.at('i')} + {source.at(['i', 'q'])}"
    kernel.write(f"        {target.at('i')} = {clamped(sums, source.dtype, source.dtype)}")
    kernel.ready.add(target.name)


def sized_at_launch(kernel):
    """A shared tile as long as a dimension that only the launch knows: written in parts, then read in parts."""
    chance = kernel.chance
    targets = kernel.writable(scopes=("shared", "fragment"), shape=(16,), dtypes=["float32", "float16", "int32"])
    if not kernel.dynamic or len(kernel.loops) == 2:
        return
    target = chance.choice(targets) if targets else kernel.new_tile("fragment", (16,), "float32")
    row = f"d{len(kernel.declarations)}"
    extent = f"T.ceildiv({chance.choice(list(kernel.dynamic))}, 16)"
    kernel.declarations.append(f'{row} = T.alloc_shared(({extent} * 16,), "{target.dtype}")')
    value = value_for(kernel, target, ("i",))
    kernel.write(f"for d in T.serial({extent}):")
    kernel.write("    for i in T.Parallel(16):")
    kernel.write(f"        {row}[d * 16 + i] = {value} + {cast('d', 'int32', target.dtype)}")
    kernel.write(f"T.fill({target.name}, {chance.randint(-2, 2)})")
    kernel.write(f"for d in T.{chance.choice(['serial', 'Pipelined'])}({extent}):")
    kernel.write("    for i in T.Parallel(16):")
    sums = f"{target.at(['i'])} + {row}[d * 16 + {shifted(kernel, 'i', 16)}]"
    kernel.write(f"        {target.at(['i'])} = {clamped(sums, target.dtype, target.dtype)}")
    kernel.ready.add(target.name)


def counted(kernel):
    """A variable that changes on the way says which element is read."""
    chance = kernel.chance
    tiles = kernel.readable(scopes=("shared",), rank=1)
    targets = kernel.writable(scopes=("shared", "fragment"), rank=1)
    if not tiles or not targets:
        return
    source, target = chance.choice(tiles), chance.choice(targets)
    if source == target:
        return
    count = f"c{len(kernel.declarations)}"
    kernel.declarations.append(f'{count} = T.alloc_var("int32", init={chance.randint(0, 2)})')
    kernel.write(f"{count} = {count} + {chance.choice(kernel.blocks() + [loop.name for loop in kernel.loops])} + 1")
    element = cast(source.at([f"(i + {count}) % {source.shape[0]}"]), source.dtype, "float32")
    kernel.write(header(target, "i"))
    kernel.write(f"    {target.at('i')} = {cast(clamped(element, target.dtype, 'float32'), 'float32', target.dtype)}")
    kernel.ready.add(target.name)
