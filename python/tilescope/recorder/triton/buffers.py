"""The buffers in shared memory of a program: local allocations, mbarriers, and the scratch of operations. The same ones
after all passes: each is known by the variable and line that it is for, and by its place among those with the same."""

import dataclasses

from tilescope.recorder.triton.descriptors import bits_of, descriptor_of, our_name
from tilescope.recorder.triton.layouts import alignment_of, shared_layout
from tilescope.recorder.triton.locations import line_in, name_in


@dataclasses.dataclass(eq=False)
class Buffer:
    """`offset`: in the arena, once Triton has placed it. `bytes`: of all versions. `role`: "", "scratch" or "mbarrier". `places`, `linear`: as
    of core/facets/buffers.h; not recorded before the instructions are known."""

    id: int
    name: str
    ordinal: int
    role: str = ""
    dtype: str = ""
    shape: tuple = ()
    versions: int = 1
    is_indexed: bool = False  # its first extent is that of the versions, if it is 1 too
    layout: str = ""
    line: int = 0
    offset: int | None = None
    bytes: int = 0
    alignment: int = 16
    places: list = dataclasses.field(default_factory=list)
    linear: list = dataclasses.field(default_factory=list)

    def record(self, function: str) -> dict:
        key = {"function": function, "name": self.name} | ({"ordinal": self.ordinal} if self.ordinal else {})
        key |= {"role": self.role} if self.role else {}
        record = {"id": self.id, "key": key, "name": self.name, "dtype": self.dtype,
                  "shape": [str(extent) for extent in self.shape], "scope": "shared.dyn", "versions": self.versions,
                  "layout": self.layout, "sizeBytes": self.bytes, "offsetBytes": self.offset,
                  "span": [self.line, 1, self.line, 1] if self.line else None}
        record |= {"places": self.places, "linear": self.linear} if self.linear else {}
        return {name: value for name, value in record.items() if value not in (None, "")}


class Buffers:
    """Of one compile. `find` gives those of the state that is looked at, which begins with `begin`."""

    def __init__(self, file: str):
        self.file, self.all, self.by_key = file, [], {}
        self.now, self.seen = [], {}

    def begin(self):
        self.now, self.seen = [], {}

    def find(self, name: str, line: int, role: str) -> Buffer:
        """The next one of that kind: in the order of the text."""
        key = (name, line, role)
        at = self.seen[key] = self.seen.get(key, -1) + 1
        if (*key, at) not in self.by_key:
            ordinal = sum(buffer.name == name and buffer.role == role for buffer in self.all)
            self.by_key[*key, at] = Buffer(len(self.all), name, ordinal, role, line=line)
            self.all.append(self.by_key[*key, at])
        buffer = self.by_key[*key, at]
        buffer.offset, buffer.linear = None, []
        self.now.append(buffer)
        return buffer

    def allocated(self, operation, is_indexed: bool, role: str) -> Buffer | None:
        """Of a ttg.local_alloc; None: of a type that is not known. `is_indexed`: its first extent counts versions."""
        descriptor = descriptor_of(operation.types[0])
        if descriptor is None or descriptor.memory != "shared_memory":
            return None
        line = line_in(operation.location, self.file)
        buffer = self.find(name_in(operation.location) or "alloc", line, role)
        shape = descriptor.of_block
        buffer.is_indexed = is_indexed and len(shape) > 1
        buffer.versions, buffer.shape = (shape[0], shape[1:]) if buffer.is_indexed else (1, shape)
        buffer.dtype, buffer.bytes = our_name(descriptor.element), descriptor.bytes
        buffer.alignment = alignment_of(descriptor.layout)
        buffer.layout = shared_layout(descriptor.layout, buffer.shape, bits_of(descriptor.element))
        buffer.places = operation.linear["places"] if operation.linear else []
        return buffer

    def scratch(self, operation, size: int) -> Buffer:
        """What an operation keeps in shared memory while it runs, by the name of the operation."""
        buffer = self.find(operation.name.split(".")[-1], line_in(operation.location, self.file), "scratch")
        buffer.dtype, buffer.shape, buffer.bytes = "uint8", (size,), size
        return buffer
