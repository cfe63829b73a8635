"""Thread-level code of random kernels: what each thread of a block does by itself.

In one statement a thread writes elements that no other thread touches in it; it reads other tiles
anywhere. Between two statements the compiler puts the barriers.
"""

from random_elements import cast, clamped, literal
from random_kernel import INTEGERS

MEMORY = ("shared", "global")


def count(tile):
    total = 1
    for extent in tile.shape:
        total *= extent
    return total


def element(tile, number):
    """The element of this number, rows first, as text."""
    indices, behind = [], 1
    for extent in reversed(tile.shape):
        index = number if behind == 1 else f"{number} // {behind}"
        indices.insert(0, index if len(indices) == len(tile.shape) - 1 else f"{index} % {extent}")
        behind *= extent
    return tile.at(indices)


def anywhere(kernel, tile, number):
    """An element that another thread may have written."""
    factor, shift = kernel.chance.choice([1, 3, 5]), kernel.chance.choice([0, 1, 17])
    return element(tile, f"(({number} * {factor} + {shift}) % {count(tile)})")


def written_and_read(kernel):
    """A tile to write, if possible one that is written on all ways here, and others to read."""
    written = kernel.writable(scopes=MEMORY)
    if not written:
        return None, []
    target = kernel.chance.choice(written)
    return target, [tile for tile in kernel.readable(scopes=MEMORY) if tile.name != target.name]


def sum_of(kernel, sources, number, target):
    compute = "int32" if target.dtype in INTEGERS else "float32"
    terms = [cast(anywhere(kernel, tile, number), tile.dtype, compute)
             for tile in kernel.chance.sample(sources, min(len(sources), kernel.chance.randint(1, 2)))]
    terms = terms or [cast(f"({number} % 5 - 2)", "int32", compute)]
    return cast(clamped(" + ".join(terms), target.dtype, compute), compute, target.dtype)


def each_element(kernel):
    """A thread has every so many-th element."""
    target, sources = written_and_read(kernel)
    if not target:
        return
    kernel.uses_threads = True
    rounds = -(-count(target) // kernel.threads)
    number = f"(t * {kernel.threads} + tx)"
    kernel.write(f"for t in T.{kernel.chance.choice(['serial', 'serial', 'unroll'])}({rounds}):")
    kernel.write(f"    if {number} < {count(target)}:")
    kernel.write(f"        {element(target, number)} = {sum_of(kernel, sources, number, target)}")
    kernel.ready.add(target.name)


def own_memory(kernel):
    """Through registers of the thread; behind it the elements of other threads are read."""
    target, sources = written_and_read(kernel)
    sources = [tile for tile in sources if (tile.dtype in INTEGERS) == (target.dtype in INTEGERS)]
    if not sources:
        return
    kernel.uses_threads = True
    chance = kernel.chance
    source = chance.choice(sources)
    compute = "int32" if target.dtype in INTEGERS else "float32"
    array = f"r{len(kernel.declarations)}"
    kernel.declarations.append(f'{array} = T.alloc_local((4,), "{compute}")')
    kernel.write(f"for t in T.{chance.choice(['serial', 'unroll', 'vectorized'])}(4):")
    read = element(source, f"((tx * 4 + t) % {count(source)})")
    kernel.write(f"    {array}[t] = {cast(read, source.dtype, compute)}")
    value = clamped(f"{array}[{chance.randrange(4)}] + {array}[{chance.randrange(4)}] * {literal(compute, 2)}",
                    target.dtype, compute)
    kernel.write(f"if tx < {count(target)}:")
    kernel.write(f"    {element(target, 'tx')} = {cast(value, compute, target.dtype)}")
    if kernel.threads >= count(target):
        kernel.ready.add(target.name)


def some_threads(kernel):
    """The first threads of the block alone; what they write is not written as a whole."""
    target, sources = written_and_read(kernel)
    if not target:
        return
    kernel.uses_threads = True
    first = min(kernel.chance.choice([1, 16, 32, 40]), kernel.threads, count(target))
    kernel.write(f"if tx < {first}:")
    kernel.write(f"    {element(target, 'tx')} = {sum_of(kernel, sources, 'tx', target)}")


def barrier(kernel):
    kernel.write("T.sync_threads()")
