"""Layouts of registers and of shared memory as what each bit of a number adds to the number of an element
(core/access/linear_lanes.h). Triton says it, of the shapes that its lowering asks for.

    registers 1 2 4   lanes 8 16 32 64 128   warps 256     places 1 2 4 8 16 32 64+8 ..."""

import math
import re

from triton._C.libtriton import gluon_ir

from tilescope.recorder.triton.descriptors import bits_of, descriptor_of, is_descriptor
from tilescope.recorder.triton.layouts import dense

# Where the tensor of an operation is, and its memory descriptor: (of results or operands, number). None: it has no tensor.
OPERANDS, RESULTS = 0, 1
SIDES = {
    "ttg.local_load": ((RESULTS, 0), (OPERANDS, 0)),
    "ttg.local_store": ((OPERANDS, 0), (OPERANDS, 1)),
    "ttg.local_alloc": ((OPERANDS, 0), (RESULTS, 0)),
    "ttg.async_copy_global_to_local": ((OPERANDS, 0), (OPERANDS, 1)),
}
SHARED = re.compile(r"#ttg\.(?:swizzled_shared|nvmma_shared|shared_linear)<")
DISTRIBUTED = re.compile(r"tensor<((?:\d+x)+)[^#]*(#ttg\.(?:blocked|nvidia_mma|slice|dot_op|linear|generic_linear)<.*)>$")
WHOLE = re.compile(r", ([\dx]+)>$")  # of what a descriptor is a part
MOST_BITS = 24


class LinearLayouts:
    """`known`: by the text of types; None: Triton does not say it, or it is not of powers of two."""

    known = {}

    def __init__(self, context):
        self.context, self.builder = context, None

    def of(self, name, operands, results) -> dict | None:
        """{elementBits, places}, and where the operation has a tensor {registers, lanes, warps}."""
        if name not in SIDES:
            return None
        values = (operands, results)
        tensor, shared = ((values[side][at] if at < len(values[side]) else None) for side, at in SIDES[name])
        key = tuple("" if value is None else str(value.get_type()) for value in (tensor, shared))
        if key not in self.known:
            self.known[key] = self.asked(tensor, shared, *key)
        return self.known[key]

    def asked(self, tensor, shared, tensor_type, shared_type) -> dict | None:
        descriptor = descriptor_of(shared_type) if is_descriptor(shared_type) else None
        if descriptor is None or not SHARED.match(descriptor.layout) or descriptor.of_block != descriptor.shape:
            return None
        if self.builder is None:
            self.builder = gluon_ir.GluonOpBuilder(self.context)
        layout = self.builder.get_gluon_layout_from_memdesc(shared)
        whole = WHOLE.search(shared_type)
        shape = [int(extent) for extent in whole.group(1).split("x")] if whole else list(descriptor.shape)
        shape = shape[len(shape) - rank_of(layout):]
        bits = bits_of(descriptor.element)
        if not is_linear(shape) or getattr(layout, "fp4_padded", False) or bits not in (8, 16, 32, 64):
            return None
        made = self.builder.to_linear_layout(layout._to_ir(self.builder), shape)
        if made.block_bases:
            return None
        found = {"elementBits": bits, "places": [dense(basis, shape) for basis in made.offset_bases]}
        if tensor is None:
            return found
        registers = self.registers(tensor, tensor_type, shape)
        part = {"isPart": True} if whole else {}
        return found | part | registers if registers is not None else found

    def registers(self, tensor, type_, shape) -> dict | None:
        parts = DISTRIBUTED.match(type_)
        own = [int(extent) for extent in parts.group(1).split("x")[:-1]] if parts else []
        if len(own) != len(shape) or not is_linear(own):
            return None
        layout = self.builder.get_gluon_layout_from_tensor(tensor)
        made = self.builder.to_linear_layout(layout._to_ir(self.builder), own)
        if made.block_bases:
            return None
        return {name: [dense(basis, shape) for basis in bases]
                for name, bases in (("registers", made.reg_bases), ("lanes", made.lane_bases), ("warps", made.warp_bases))}


def rank_of(layout) -> int:
    """0: it is not known."""
    if hasattr(layout, "offset_bases"):
        return len(layout.offset_bases[0]) if layout.offset_bases else 0
    return getattr(layout, "rank", 0) or len(getattr(layout, "order", ()))


def is_linear(shape) -> bool:
    return all(extent > 0 and extent & (extent - 1) == 0 for extent in shape) and 1 < math.prod(shape) <= 1 << MOST_BITS
