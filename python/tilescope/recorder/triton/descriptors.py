"""Types of memory descriptors and of scalars, from their text: the bindings give no other.

    !ttg.memdesc<3x128x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, ...}>, #ttg.shared_memory, mutable>"""

import dataclasses
import functools
import math
import re

MEMDESC = re.compile(r"!ttg\.memdesc<((?:\d+x)*)([\w.!<>]+), (#.*?), #(?:ttg|ttng)\.(\w+)(?:, mutable)?(?:, [\dx]+)?>$")
BLOCKS = re.compile(r"(?:CGALayout|block) = \[((?:\[[^\]]*\](?:, )?)+)\]")  # which half of it each bit of a block's number chooses
BASE = re.compile(r"\[([^\]]*)\]")
BITS = {"i1": 8, "index": 64, "tf32": 32, "bf16": 16}
OURS = {"bf16": "bfloat16", "i1": "bool", "f8E4M3FN": "float8_e4m3", "f8E5M2": "float8_e5m2"}


@dataclasses.dataclass(frozen=True)
class Descriptor:
    shape: tuple[int, ...]
    element: str  # f16, i64, ...
    layout: str
    memory: str  # shared_memory, tensor_memory

    @property
    def of_block(self) -> tuple[int, ...]:
        """The part of the shape that each block of a cluster has."""
        shape = list(self.shape)
        for axes in BASE.findall(found.group(1)) if (found := BLOCKS.search(self.layout)) else ():
            steps = [int(step) for step in axes.split(",") if step.strip()]
            for axis, step in enumerate(steps, len(shape) - len(steps)):
                shape[axis] //= 2 if step else 1
        return tuple(shape)

    @property
    def bytes(self) -> int:
        return math.prod(self.of_block) * bits_of(self.element) // 8


def is_descriptor(type_: str) -> bool:
    return type_.startswith("!ttg.memdesc<")


@functools.lru_cache(maxsize=1 << 12)
def descriptor_of(type_: str) -> Descriptor | None:
    """None: of a form that is not known."""
    found = MEMDESC.match(type_)
    if found is None or bits_of(found.group(2)) == 0:
        return None
    extents, element, layout, memory = found.groups()
    return Descriptor(tuple(int(extent) for extent in extents.split("x")[:-1]), element, layout, memory)


def bits_of(element: str) -> int:
    """As it lies in memory; 0: not known."""
    if element in BITS:
        return BITS[element]
    found = re.match(r"[fi](\d+)", element)
    return int(found.group(1)) if found else 0


def our_name(element: str) -> str:
    """float16 of f16, int32 of i32."""
    plain = re.fullmatch(r"([fi])(\d+)", element)
    return OURS.get(element) or (f"{'float' if plain.group(1) == 'f' else 'int'}{plain.group(2)}" if plain else element)
