"""Regions of buffers, which operations have as operands."""

import dataclasses

import tvm
from tvm import tirx

from .errors import NoCounterpart
from .expressions import call_name, constant


@dataclasses.dataclass
class Region:
    buffer: object
    starts: list
    extents: list

    def wide(self):
        """Axes whose extent is not the constant 1."""
        return [axis for axis, extent in enumerate(self.extents) if constant(extent) != 1]

    def distance(self):
        """From the registers: those, shared memory, global memory."""
        scope = self.buffer.scope()
        return 0 if scope.startswith("local") else 1 if scope.startswith("shared") else 2

    def has_run_time_extent(self):
        return any(constant(extent) is None for extent in self.extents)


def region_of(expr) -> Region:
    """T.region(element, access, extents...)."""
    if type(expr) is tirx.BufferRegion:
        return Region(expr.buffer, [r.min for r in expr.region], [r.extent for r in expr.region])
    if call_name(expr) != "region":
        raise NoCounterpart("an operand that is no region of a buffer")
    element, _, *extents = expr.args
    return Region(element.buffer, list(element.indices), extents)


def bits_of(dtype) -> int:
    return tvm.DataType(str(dtype)).bits


def match_extents(source: Region, destination: Region):
    """The extents of the operand nearer to the registers count; of the other only the start does."""
    leader, follower = sorted((source, destination), key=Region.distance)
    if len(leader.wide()) == len(follower.wide()):
        for axis, from_axis in zip(follower.wide(), leader.wide()):
            follower.extents[axis] = leader.extents[from_axis]
