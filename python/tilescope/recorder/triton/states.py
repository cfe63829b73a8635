"""The state of the program after a pass: its text, its buffers, what it reads and writes, where Triton placed them."""

import itertools

import triton

from tilescope.recorder.numbering import Numbers
from tilescope.recorder.triton.buffers import Buffers
from tilescope.recorder.triton.instructions import KINDS, instructions_of
from tilescope.recorder.triton.locations import line_in, place_in
from tilescope.recorder.triton.module_copy import NOT_SCRATCH, PLACED, SIZE, Operation
from tilescope.recorder.triton.placement import NotPlaced, Placed, Previewed
from tilescope.recorder.triton.partitions import bytes_of_orders
from tilescope.recorder.triton.program import LOCAL, Program
from tilescope.recorder.triton.text_lines import operations_of
from tilescope.recorder.triton.versions import is_in_full

NOWHERE, REST = 1_000_000, 1_000_001  # ids: of allocations that are not followed, of the bytes that only these can have
WITHOUT_MBARRIERS = ("ttng.fence_async_shared", "ttng.warp_group_dot", "ttng.warp_group_dot_wait")
UNKNOWN = ["layouts, versions and barriers of later passes"]  # in a preview


def first_uses(operations) -> dict:
    """{value: the first operation that has it as an operand}"""
    found = {}
    for operation in operations:
        for value in operation.operands:
            found.setdefault(value, operation)
    return found


def loops_named(node) -> list[dict]:
    """The parts of a node that name a loop, by its operation; nodes may share a part."""
    accesses = node.get("accesses", ())
    counters = [part["mbarrier"]["counter"] for part in (node, *accesses) if "counter" in part.get("mbarrier", ())]
    if "counter" in node.get("parity", ()):
        counters.append(node["parity"]["counter"])
    slots = [access["slot"] for access in accesses if "loop" in access.get("slot", ())]
    return slots + [term for counter in counters for term in counter.get("terms", ())] + [node] * ("guardLoop" in node or "rangeLoop" in node)


class Tables:
    """Makes the states of one compile, in order. `lowered`, `ptx`: as of Placed."""

    def __init__(self, file: str, kernel: str, lowered, ptx: str):
        self.file, self.kernel, self.lowered, self.ptx = file, kernel, lowered, ptx
        self.buffers, self.numbers = Buffers(file), Numbers(itertools.count())
        self.structured = None  # the last module before loops became branches
        self.of_structured = {}  # numbers of its operations
        self.number_of = {}  # of the operations of the last state
        self.program = None
        self.instructions = None  # of the PTX, once they are asked for
        self.are_barriers_known = False  # of a release that does not say it in its text
        self.is_flat = False  # from where on loops are branches
        self.is_allocated = False  # from Triton's allocation on

    def state(self, text, whole, preview=None):
        """([(text, statement, source line, whether that was worked out)], {kind of record: records}); `preview`: as of
        Previews, behind Triton's allocation what it says of sizes alone."""
        operations, lines = list(whole.inside()), text.split("\n")
        printed = operations_of(lines, whole)
        places = preview.places if preview else {}
        if any(size is None and operations[at].name not in NOT_SCRATCH for at, (_, size) in places.items()) \
                or any(operations[at].name == "tt.func" and not bytes_of_orders(whole) for at in places):
            places = {}
        for at, (offset, size) in places.items():
            operations[at].integers |= {PLACED: offset, SIZE: size or 0}
        for function in operations:
            if function.name == "tt.func" and PLACED in function.integers:
                function.integers[SIZE] = bytes_of_orders(whole)
        numbers = self.numbers.of([(operation.name, operation.location) for operation in operations])
        self.number_of = dict(zip(operations, numbers))
        self.are_barriers_known = preview is not None and self.is_allocated
        if self.are_barriers_known:
            self.insert_barriers(whole, [operations[at] for at in preview.barriers])
        has_function = any(operation.name == "tt.func" for operation in operations)
        parts = self.parts(whole, bool(places) and not self.is_allocated) if has_function else {}
        first_use = first_uses(operations)
        return [self.line(line, operation, first_use) for line, operation in zip(lines, printed)], parts

    def insert_barriers(self, whole, behind):
        """Before these operations, as which they count: the text does not have them."""
        for operation in list(whole.inside()):
            for block in operation.blocks():
                made = {}
                for inner in block.operations:
                    if inner in behind:
                        made[inner] = Operation("ttg.barrier", inner.location, [], [], [], [], {"addrSpace": LOCAL})
                        self.number_of[made[inner]] = self.number_of[inner]
                block.operations = [each for inner in block.operations for each in (made.get(inner), inner) if each is not None]

    def line(self, text, operation, first_use):
        """Constants that several operations share have no place: they are of the first that uses them."""
        if operation is None:
            return text, None, 0, False
        line = line_in(operation.location, self.file)
        user = first_use.get(operation.results[0]) if operation.name == "arith.constant" and not line else None
        if user is not None and (carried := line_in(user.location, self.file)):
            return text, self.number_of[operation], carried, True
        return text, self.number_of[operation], line, False

    def parts(self, module, is_preview):
        placed = Previewed() if is_preview else NotPlaced()
        if not self.is_flat:
            self.structured, self.of_structured = module, self.number_of
        elif self.structured is not None:
            placed = Placed(self.structured, module, self.lowered, self.ptx)
        self.program = program = Program(self.structured or module, self.buffers, placed)
        if placed.lost:
            program.not_followed.add(f"which operation is the twin of {placed.lost}, where loops have become branches")
        # Whatever the reason is: what was not visited is not followed, and its bytes may be any.
        allocated = [operation for operation in module.inside() if PLACED in operation.integers
                     and operation.name != "tt.call"]
        followed = {placed.twin.get(operation, operation) for operation in program.allocating}
        lost = len(set(allocated) - followed) if self.is_allocated else 0
        if lost:
            program.not_followed.add(f"what is done with {len(allocated)} allocations, of which {len(allocated) - lost} are followed")
        if self.is_flat and not is_in_full() and (where := self.unsure_barriers(module, placed)):
            program.not_ordered.add(where)
        if module.integers.get("ttg.num-ctas", 1) > 1:
            program.not_ordered.add("what other blocks of the cluster do")
        self.number(program)
        if self.is_allocated:
            self.note_lanes(program)
        buffers = [buffer.record(self.kernel) for buffer in self.buffers.now]
        is_known = bool(buffers) or self.is_allocated
        record = self.access_record(program)
        record["program"]["buffers"] += [{"id": NOWHERE, "name": "other allocations"}] * bool(lost)
        return {"buffers": buffers, "accesses": [record] if is_known else [],
                "arenas": self.arenas(is_preview, module.integers.get("ttg.shared", 0) if lost else 0)
                if self.is_allocated or is_preview else []}

    def unsure_barriers(self, module, placed) -> str:
        """Of a release that inserts them while it lowers: why it is not known where; "": what its membar does on a copy is what
        the lowering has. Of mbarriers its membar knows more in the lowering."""
        other = next((operation for operation in module.inside() if operation.name.startswith("ttng.")
                      and operation.name not in WITHOUT_MBARRIERS), None)
        if self.are_barriers_known and not placed.lost and placed.lowered is not None and other is None:
            other = placed.misplaced()
            if other is None:
                return ""
        at = f", near {other.name}" if other else ""
        return f"where barriers are, which Triton {triton.__version__} inserts while it lowers to the LLVM dialect{at}"

    def number(self, program):
        twins = program.placed.twin
        for node, operation in zip(program.nodes, program.operations):
            if operation is not None:
                node["stmt"] = self.statement(operation, twins)
        for named in {id(part): part for node in program.nodes for part in loops_named(node)}.values():
            key = next(key for key in ("guardLoop", "rangeLoop", "loop") if key in named)
            named[key] = self.statement(named[key], twins)

    def note_lanes(self, program):
        """Which elements the lanes of each access have, and by which instruction, where the PTX says one."""
        if self.instructions is None:
            self.instructions = instructions_of(self.ptx, self.file)
        of_id = {buffer.id: buffer for buffer in self.buffers.now}
        for node, operation in zip(program.nodes, program.operations):
            twin = program.placed.twin.get(operation, operation)
            if node["kind"] != "leaf" or twin is None or not twin.linear or "lanes" not in twin.linear:
                continue
            kind = KINDS[twin.name]
            form = self.instructions.get(place_in(twin.location, self.file), {}).get(kind, {})
            write = {"isWrite": True} if kind != "ld" else {}
            buffer = of_id[node["accesses"][0]["buffer"]]
            same = ("places",) if twin.linear["places"] == buffer.places else ()
            own = {name: value for name, value in twin.linear.items() if name not in same}
            buffer.linear.append({"stmt": node["stmt"], **write, **own, **form})

    def statement(self, operation, twins):
        """Of loops that have become branches the number that they had."""
        operation = twins.get(operation, operation)
        return self.number_of[operation] if operation in self.number_of else self.of_structured[operation]

    def access_record(self, program):
        buffers = [{"id": buffer.id, "name": buffer.name, "versions": buffer.versions} for buffer in self.buffers.now]
        record = {"function": self.kernel, "program": {"nodes": program.nodes, "root": program.root, "buffers": buffers,
                                                       "mbarriers": program.mbarriers, "threads": program.threads}}
        if program.not_followed:
            record["notFollowed"] = sorted(program.not_followed)
        if program.not_ordered:
            record["notOrdered"] = sorted(program.not_ordered)
        return record

    def arenas(self, is_preview, total):
        """Where Triton's allocation put them, or would; `total`: of all bytes, where some allocations are not followed."""
        if (is_preview and not self.buffers.now) or any(buffer.offset is None for buffer in self.buffers.now):
            return []
        problem = [{"id": buffer.id, "name": buffer.name, "sizeBytes": buffer.bytes, "alignmentBytes": buffer.alignment,
                    "versions": buffer.versions, "strideBytes": buffer.bytes // buffer.versions}
                   for buffer in self.buffers.now]
        placements = [{"id": buffer.id, "offsetBytes": buffer.offset, "sizeBytes": buffer.bytes}
                      for buffer in self.buffers.now]
        height = max((buffer.offset + buffer.bytes for buffer in self.buffers.now), default=0)
        if height < total:
            problem.append({"id": REST, "name": "other allocations", "sizeBytes": total - height, "alignmentBytes": 1,
                            "versions": 1, "strideBytes": total - height})
            placements.append({"id": REST, "offsetBytes": height, "sizeBytes": total - height})
        said = {"preview": True, "unknown": UNKNOWN} if is_preview else {"preview": False}
        return [{"function": self.kernel, **said, "problem": {"buffers": problem}, "plan": {"placements": placements}}]
