"""What a random kernel is made of while it is written: tensors, tiles, loops around, lines of text.

Every element of a tile is a whole number of at most the limit of its type, so that sums are exact in
whatever order they are taken: what two stages of a compile compute must be equal to the bit.
"""

import dataclasses
import random

# The product of two elements, and a sum of many such products in float32, is exact.
LIMITS = {"float32": 64, "float16": 16, "bfloat16": 16, "int32": 64, "int16": 64, "int8": 11, "float8_e4m3fn": 4,
          "float8_e5m2": 2}
BITS = {"float32": 32, "float16": 16, "bfloat16": 16, "int32": 32, "int16": 16, "int8": 8, "float8_e4m3fn": 8,
        "float8_e5m2": 8}
INTEGERS = ("int32", "int16", "int8")
EXTENTS = [8, 16, 16, 24, 32, 32, 48, 64]
ODD_EXTENTS = [3, 5, 12, 20, 33]


@dataclasses.dataclass(frozen=True)
class Tile:
    """A buffer of a block, or, in global memory, the part of a tensor that belongs to the block."""
    name: str
    shape: tuple
    dtype: str
    scope: str  # "shared", "fragment", "global"
    origin: tuple = ()  # where the part starts in its tensor, as text: first the axes that the tile has not

    def at(self, indices):
        """The element as text."""
        if self.origin:
            rank = len(self.shape)
            places = zip(self.origin[-rank:], indices)
            indices = [*self.origin[:-rank],
                       *(index if start == "0" else f"{start} + {index}" for start, index in places)]
        return f"{self.name}[{', '.join(indices)}]"

    def whole(self):
        """As an operand of a tile operation."""
        if not self.origin:
            return self.name
        rank = len(self.shape)
        slices = [f"0:{extent}" if start == "0" else f"{start}:{start} + {extent}"
                  for start, extent in zip(self.origin[-rank:], self.shape)]
        return f"{self.name}[{', '.join([*self.origin[:-rank], *slices])}]"


@dataclasses.dataclass(frozen=True)
class Loop:
    name: str
    trips: int  # at the sizes that the kernel is run with
    is_known: bool  # to the compiler
    start: int = 0


class Kernel:
    """Collects the text of one kernel; `chance` decides everything."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        chance = self.chance
        self.seed = seed
        self.target = chance.choice(["sm_80", "sm_89", "sm_90a"])
        self.threads = chance.choice([32, 64, 64, 128, 128, 128, 256, 96, 48])
        self.grid = chance.choice([(1,), (2,), (3,), (2, 1), (2, 2)])
        self.dims = tuple(chance.choice(EXTENTS) for _ in range(3))
        if chance.random() < 0.25:
            self.dims += (chance.choice(ODD_EXTENTS),)
        self.dtypes = ["float32", *chance.sample(["float16", "bfloat16", "int8", "int32"], 2)]
        if chance.random() < 0.3:
            self.dtypes.append(chance.choice(["float8_e4m3fn", "float8_e5m2", "int16"]))
        self.dynamic = {}  # name: value
        if chance.random() < 0.3:
            self.dynamic["m"] = chance.choice([1, 7, 16, 33, 50, 64])
        self.params = []  # (name, extents as text, dtype), in order
        self.indices = []  # names of index tensors, each of them of 64 elements below 8
        self.tiles = []
        self.declarations = []
        self.lines = []
        self.depth = 0
        self.loops = []
        self.ready = set()  # names of tiles that are written on every way here
        self.locked = set()  # names of tiles that statements may not touch for now
        self.uses_threads = False

    # --- text ---

    def write(self, line):
        self.lines.append("    " * (self.depth + 3) + line)

    def name(self, prefix):
        return f"{prefix}{sum(1 for known in self.names() if known.startswith(prefix))}"

    def names(self):
        yield from (param[0] for param in self.params)
        yield from (tile.name for tile in self.tiles if tile.scope != "global")

    def text(self):
        parameters = "".join(f"        {name}: T.Tensor(({', '.join(extents)},), \"{dtype}\"),\n"
                             for name, extents, dtype in self.params)
        grid = ", ".join(str(extent) for extent in self.grid)
        blocks = ", ".join(self.blocks())
        dynamic = "".join(f'    {name} = T.dynamic("{name}")\n' for name in self.dynamic)
        threads = ["            tx = T.get_thread_binding()"] if self.uses_threads else []
        body = "\n".join(["            " + line for line in self.declarations] + threads + self.lines)
        return (f"# Random kernel {self.seed}.\n"
                "import tilelang\nimport tilelang.language as T\n\n\n"
                f"@tilelang.jit\ndef kernel():\n{dynamic}\n"
                f"    @T.prim_func\n    def main(\n{parameters}    ):\n"
                f"        with T.Kernel({grid}, threads={self.threads}) as {self.as_target(blocks)}:\n"
                f"{body}\n\n    return main\n")

    def as_target(self, blocks):
        return blocks if len(self.grid) == 1 else f"({blocks})"

    def blocks(self):
        return ["bx", "by"][:len(self.grid)]

    def arguments(self):
        """Of `tilescope exec`, besides the file and options of passes."""
        dims = [word for name, value in self.dynamic.items() for word in ("--dim", f"{name}={value}")]
        return ["--target", self.target, "--fill", "integers", *dims]

    # --- what there is ---

    def new_tile(self, scope, shape, dtype):
        tile = Tile(self.name({"shared": "s", "fragment": "f"}[scope]), tuple(shape), dtype, scope)
        self.tiles.append(tile)
        extents = ", ".join(str(extent) for extent in shape)
        self.declarations.append(f'{tile.name} = T.alloc_{scope}(({extents},), "{dtype}")')
        return tile

    def readable(self, *, scopes=("shared", "fragment", "global"), shape=None, dtypes=None, rank=None):
        return [tile for tile in self.tiles
                if tile.name in self.ready and self.fits(tile, scopes, shape, dtypes, rank)]

    def writable(self, *, scopes=("shared", "fragment", "global"), shape=None, dtypes=None, rank=None):
        return [tile for tile in self.tiles if self.fits(tile, scopes, shape, dtypes, rank)]

    def fits(self, tile, scopes, shape, dtypes, rank):
        return (tile.name not in self.locked and tile.scope in scopes
                and (shape is None or tile.shape == tuple(shape))
                and (dtypes is None or tile.dtype in dtypes)
                and (rank is None or len(tile.shape) == rank))

    def new_tensor(self, prefix, extents, dtype):
        name = self.name(prefix)
        self.params.append((name, [str(extent) for extent in extents], dtype))
        return name

    def part(self, shape):
        """(origin, extents) of a tensor with a part of this shape for each block: columns along bx, rows along by."""
        blocks = self.blocks()
        starts, extents = ["0"] * len(shape), list(shape)
        for axis, (block, count) in enumerate(zip(blocks, self.grid)):
            if axis < len(shape):
                starts[-1 - axis] = f"{block} * {shape[-1 - axis]}"
                extents[-1 - axis] *= count
        return (*blocks[len(shape):], *starts), [*self.grid[len(shape):], *self.ragged(extents)]

    def ragged(self, extents):
        """A little less, now and then."""
        return [max(1, extent - self.chance.choice([0, 0, 0, 1, 3, 8])) for extent in extents]

    def trips(self):
        """How often a statement here is run."""
        count = 1
        for loop in self.loops:
            count *= loop.trips
        return count
