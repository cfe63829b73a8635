"""The buffers of a program, the same ones after all passes."""

import dataclasses
import functools
import math
import os

from tilelang import tvm

from tilescope.recorder.expressions import constant, constants
from tilescope.recorder.layouts import Layouts
from tilescope.recorder.statements import Known


@dataclasses.dataclass
class Buffer:
    """What is known of a buffer after the pass that is looked at; it is the same buffer after all passes."""

    id: int
    name: str
    ordinal: int
    scope: str = ""
    dtype: str = ""
    shape: list = dataclasses.field(default_factory=list)
    versions: int = 1
    layout: str = ""  # of its shape, as in core/ir/layout.h; "": not decided
    line: int = 0
    offset: int | None = None
    bytes: int | None = None  # of all versions

    def is_shared(self):
        return self.scope in ("shared", "shared.dyn")

    def record(self, function):
        key = {"function": function, "name": self.name, **({"ordinal": self.ordinal} if self.ordinal else {})}
        record = {"id": self.id, "key": key, "name": self.name, "dtype": self.dtype,
                  "shape": [str(extent) for extent in self.shape], "scope": self.scope, "versions": self.versions}
        span = [self.line, 1, self.line, 1] if self.line else None
        record |= {"layout": self.layout} if self.layout else {}
        known = {"sizeBytes": self.bytes, "offsetBytes": self.offset, "span": span}
        return record | {name: value for name, value in known.items() if value is not None}


@functools.lru_cache(maxsize=None)
def bits_of(dtype):
    dtype = tvm.DataType(str(dtype))
    return dtype.bits * dtype.lanes


@functools.lru_cache(maxsize=None)
def real_path(name):
    return os.path.realpath(name) if os.path.isfile(name) else None


class Buffers:
    """The buffers of the program, pass by pass. One is known by the variable that holds its data; where a pass gave it
    another variable, by its name among those whose variables are gone."""

    def __init__(self, function):
        self.function, self.file = function, None
        self.known, self.all, self.by_data = Known(), [], {}
        self.shared = {}  # of by_data
        self.now = []  # of the program after the pass that is looked at
        self.found = None  # what declares them
        self.layouts, self.layout_texts = {}, Layouts()  # by data: those that the program says
        self.maps = {}  # of layouts that were looked at, by address
        self.is_merged = self.is_laid_out = False

    def look_at(self, functions):
        found, aliases, layouts = [], [], {}
        for _, function in functions.values():
            found += map(self.known.declaration, function.buffer_map.values())
            facts = self.known.facts(function.body)
            found += facts.declared
            aliases += facts.aliases
            for address, layout_map in facts.layout_maps.items():
                layouts = self.by_variable(address, layout_map) | layouts
        now = (found, aliases, {data: hash(layout) for data, layout in layouts.items()}, self.is_laid_out)
        if self.found == now:
            return
        self.found, self.layouts = now, layouts
        arenas = {base for _, _, base, _ in aliases}
        found = [declared for declared in found if declared.data not in arenas]
        present = {declared.data for declared in found} | {data for data, *_ in aliases}
        stay = {self.by_data[data].id for data in present if data in self.by_data}
        gone = [buffer for buffer in self.now if buffer.id not in stay]
        # Tensors stay, though their handles are unpacked by hand once the function is split off.
        self.now = [buffer for buffer in gone if buffer.scope == "global"]
        for declared in found:
            self.describe(self.take(declared.data, declared.name, declared.scope, gone), declared)
        for data, name, _, offset in aliases:
            self.take(data, name, "shared.dyn", gone).offset = offset
        self.now.sort(key=lambda buffer: buffer.id)
        self.shared = {data: buffer for data, buffer in self.by_data.items() if buffer.is_shared()}

    def by_variable(self, address, layout_map):
        """{data: layout}. What a kernel asks for itself goes by the variable, what was inferred by the buffer."""
        if address not in self.maps:
            self.maps[address] = {hash(getattr(key, "data", key)): layout for key, layout in layout_map.items()}
        return self.maps[address]

    def declares_shared(self, stmt):
        facts = self.known.facts(stmt)
        return any(data in self.shared for data, *_ in facts.declared + facts.aliases)

    def take(self, data, name, scope, gone):
        buffer = self.by_data.get(data)
        if buffer is None:
            # A fragment whose layout is written out is an array of each thread.
            scopes = (scope, "local.fragment") if scope == "local" and data in self.layouts else (scope,)
            buffer = next((b for b in gone if b.name == name and b.scope in scopes), None)
            if buffer is not None:
                gone.remove(buffer)
            else:
                buffer = Buffer(len(self.all), name, sum(b.name == name for b in self.all))
                self.all.append(buffer)
            self.by_data[data] = buffer
        if not any(b is buffer for b in self.now):
            self.now.append(buffer)
        return buffer

    def describe(self, buffer, declared):
        shape = declared.shape
        was_seen = bool(buffer.dtype)
        may_grow = was_seen and buffer.is_shared() and buffer.versions == 1 and not self.is_laid_out
        if may_grow and shape[1:] == buffer.shape and constant(shape[0]):
            buffer.versions = shape[0]  # the one way in which their pipeline gives a buffer versions
        if buffer.versions > 1 and constants(shape):
            shape = shape[1:] if shape[0] == buffer.versions else [math.prod(shape) // buffer.versions]
        # Layouts are written out as other shapes of shared buffers. They speak of the one that the kernel declares.
        if not (self.is_laid_out and buffer.layout and buffer.is_shared()):
            buffer.shape = shape
        buffer.scope, buffer.dtype = declared.scope, declared.dtype
        buffer.line = self.line_of(declared.span) or buffer.line
        extents = constants(shape)
        buffer.bytes = None if extents is None else math.prod(extents) * bits_of(buffer.dtype) // 8 * buffer.versions
        if declared.data in self.layouts:
            buffer.layout = self.layout_texts.text(self.layouts[declared.data], bits_of(buffer.dtype))
        elif self.is_laid_out and buffer.is_shared() and not buffer.layout:
            buffer.layout = "row_major"

    def versions_in(self, functions):
        """{name: how many}, of those that another program has in front of the shapes of shared buffers."""
        shapes = {buffer.name: buffer.shape for buffer in self.now if buffer.is_shared()}
        declared = [each for _, function in functions.values() for each in self.known.facts(function.body).declared]
        return {each.name: each.shape[0] for each in declared
                if each.shape[1:] == shapes.get(each.name) and constant(each.shape[0])}

    def find_file(self, function):
        """Where the buffers of a kernel are declared."""
        spans = (declared.span for declared in self.known.facts(function.body).declared if declared.span is not None)
        return next(filter(real_path, (str(span.source_name.name) for span in spans)), "")

    def line_of(self, span):
        """In the kernel file; 0 elsewhere."""
        is_here = span is not None and self.file is not None and real_path(str(span.source_name.name)) == self.file
        return span.line if is_here else 0
