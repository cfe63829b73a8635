"""A copy of a module's operations: what the bindings say of them, which the next pass would change.

Values are known by their ids, which stay the same in one module between two passes, and mean nothing after."""

import dataclasses

from triton._C.libtriton import ir

from tilescope.recorder.triton.linear import LinearLayouts

ALWAYS = PLACED, SIZE = "allocation.offset", "allocation.size"
NOT_SCRATCH = ("ttg.local_alloc", "tt.func", "tt.call")  # which have a place too, and say no size
INTEGERS = {
    "arith.cmpi": ("predicate",),
    "builtin.module": ("ttg.shared", "ttg.num-warps", "ttg.total-num-warps", "ttg.threads-per-warp", "ttg.num-ctas"),
    "ttg.async_wait": ("num",),
    "ttg.barrier": ("addrSpace",),
    "ttng.arrive_barrier": ("count",),
    "ttng.async_tma_store_wait": ("pendings",),
    "ttng.barrier_expect": ("size",),
    "ttng.init_barrier": ("count",),
    "ttng.warp_group_dot": ("isAsync",),
    "ttng.warp_group_dot_wait": ("pendings",),
}

TOUCH_MEMORY = ("llvm.load", "llvm.store", "llvm.inline_asm", "llvm.call", "llvm.atomicrmw", "llvm.cmpxchg", "llvm.intr.")


@dataclasses.dataclass(eq=False)
class Operation:
    """Regions are lists of blocks. `integers` has what ALWAYS and INTEGERS name, without those that it lacks. `successors`:
    blocks, of a branch; see branches.py."""

    name: str
    location: str
    operands: list
    operand_types: list
    results: list
    types: list
    integers: dict
    constant: int | None = None
    callee: str = ""  # of a call the function, of a function its name
    warps: list | None = None  # of partitions; see partitions.py
    linear: dict | None = None  # see linear.py
    regions: list = dataclasses.field(default_factory=list)
    successors: list = dataclasses.field(default_factory=list)

    def inside(self):
        """It and all operations in it, each before those in it."""
        yield self
        for region in self.regions:
            for block in region:
                for operation in block.operations:
                    yield from operation.inside()

    def blocks(self):
        return [block for region in self.regions for block in region]


@dataclasses.dataclass(eq=False)
class Block:
    arguments: list
    operations: list = dataclasses.field(default_factory=list)


class Copier:
    """Visits operations from the inside out, as `module.walk` does."""

    def __init__(self, module):
        self.builder = ir.builder(module.context)
        self.linear = LinearLayouts(module.context)
        self.blocks, self.of_region = {}, {}
        self.whole = None

    def visit(self, operation):
        copy = self.copied(operation)
        copy.regions = [self.of_region.pop(operation.get_region(at).id(), []) for at in range(operation.get_num_regions())]
        block = operation.get_block()
        if block is None:
            self.whole = copy
            return
        if block.id() not in self.blocks:
            self.blocks[block.id()] = Block([block.arg(at).id() for at in range(block.get_num_arguments())])
            self.of_region.setdefault(block.get_parent().id(), []).append(self.blocks[block.id()])
        self.blocks[block.id()].operations.append(copy)

    def copied(self, operation):
        name = operation.get_name()
        operands = [operation.get_operand(at) for at in range(operation.get_num_operands())]
        results = [operation.get_result(at) for at in range(operation.get_num_results())]
        return Operation(name, self.location_of(operation), [value.id() for value in operands],
                         [str(value.get_type()) for value in operands], [value.id() for value in results],
                         [str(value.get_type()) for value in results], integers_of(operation, name),
                         constant_of(operation) if name == "arith.constant" else None, named_by(operation, name),
                         linear=self.linear.of(name, operands, results))

    def location_of(self, operation):
        """Operations do not say it themselves: a builder behind one takes it over."""
        if operation.get_block() is None:
            return ""
        self.builder.set_insertion_point_after(operation)
        return str(self.builder.get_loc())


class Outliner(Copier):
    def copied(self, operation):
        name = operation.get_name()
        return Operation(name, "", [], [], [], [], integers_of(operation, name))


def integers_of(operation, name) -> dict:
    found = {key: operation.get_int_attr(key) for key in (*ALWAYS, *INTEGERS.get(name, ()))}
    return {key: value for key, value in found.items() if value is not None}


def constant_of(operation) -> int | None:
    """None: it is no integer."""
    if hasattr(operation, "get_constant_value"):
        return operation.get_constant_value()
    return operation.get_int_attr("value")  # of 3.7


def named_by(operation, name) -> str:
    if name == "tt.call":
        return operation.get_flat_symbol_ref_attr("callee") or ""
    return operation.get_str_attr("sym_name") or "" if name == "tt.func" else ""


def copy_of(module, copier=Copier) -> Operation:
    made = copier(module)
    module.walk(made.visit)
    return made.whole


def outline_of(module) -> Operation:
    """Names and integers of operations alone: half of the time that a copy takes."""
    return copy_of(module, Outliner)


def lowered_at(module) -> dict[str, str]:
    """Of a module in the LLVM dialect, what each location has in order: b, a barrier of all threads of the block; m, what may
    touch memory."""
    builder, found = ir.builder(module.context), {}

    def visit(operation):
        name = operation.get_name()
        if operation.get_block() is None:
            return
        is_barrier = name == "nvvm.barrier0" or (name == "nvvm.barrier" and operation.get_num_operands() == 0)
        if is_barrier or not name.startswith("llvm.") or name.startswith(TOUCH_MEMORY):
            builder.set_insertion_point_after(operation)
            location = str(builder.get_loc())
            found[location] = found.get(location, "") + ("b" if is_barrier else "m")

    module.walk(visit)
    return found
