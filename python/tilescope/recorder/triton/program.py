"""What a Triton program does with shared memory, as the nodes of core/access/access_program.h.

The structured form is read: loops and conditions are operations there. What an operation does stands in VISITS; one that
takes a memory descriptor and is not there is not followed, by its name. Where Triton has placed buffers and barriers, the
program is flat, and `placed` (placement.py) says which operation of the structured form each belongs to."""

from tilescope.recorder.triton import calls, mbarriers, partitions
from tilescope.recorder.triton.branches import Joins
from tilescope.recorder.triton.descriptors import is_descriptor
from tilescope.recorder.triton.locations import line_in
from tilescope.recorder.triton.placement import OF_CLUSTERS
from tilescope.recorder.triton.values import ALIASES, Values, trips

LOCAL = 1  # of ttg.barrier: that it orders shared memory
ENDS = ("scf.yield", "scf.condition", "tt.return", "tt.reduce.return", "tt.scan.return", "ttg.local_dealloc", "ttg.warp_yield",
        "ttg.warp_return")
ATOMICS = ("tt.atomic_rmw", "tt.atomic_cas")  # all threads meet behind one that acquires
COPIES, WGMMA, STORES = "copies", "wgmma", "stores"  # queues


def threads_of(module) -> int:
    """Of the block; 0: not known."""
    said = module.integers
    return said.get("ttg.total-num-warps", said.get("ttg.num-warps", 0)) * said.get("ttg.threads-per-warp", 0)


class Program:
    """Of the first function of a module. `not_followed`, `not_ordered`: as in core/recorded/README.md. `operations`: that of each
    node, None: of none. `lane`: (number, threads) of the warp group that is visited, None: all that are there."""

    def __init__(self, module, buffers, placed):
        self.buffers, self.placed, self.lane = buffers, placed, None
        self.module = module
        self.functions = {operation.callee: operation for operation in module.inside() if operation.name == "tt.func"}
        self.callers, self.base = [], 0
        self.allocating = set()  # operations that have buffers
        self.warps, self.warp_threads = (module.integers.get(name, 0) for name in ("ttg.num-warps", "ttg.threads-per-warp"))
        self.threads = threads_of(module)
        self.values = Values(module)
        self.nodes, self.operations, self.mbarriers = [], [], []
        self.first_mbarrier = {}  # by id of a buffer
        self.not_followed, self.not_ordered = set(), set()
        self.queues, self.loops = {COPIES: 0}, []
        self.seen = set()  # ids of blocks of the function
        self.indexed = {operation.operands[0] for operation in module.inside() if operation.name == "ttg.memdesc_index"}
        self.counted_loops = [loop for loop in module.inside() if loop.name == "scf.for"
                              and [self.values.constant(loop.operands[at]) for at in (0, 2)] == [0, 1]]
        self.initialised = {}  # by value of a local allocation: the operations that make its mbarriers
        self.find_mbarriers()
        buffers.begin()
        self.root = self.add("seq")
        function = next(iter(self.functions.values()))
        self.orders = partitions.orders_of(self, function)
        self.nodes[self.root]["children"] = [*self.paths(function.blocks()), *partitions.last_orders(self, function)]

    def find_mbarriers(self):
        for operation in self.module.inside():
            if operation.name == "ttng.init_barrier":
                value = operation.operands[0]
                while (made := self.values.definitions.get(value)) and made[0].name in ALIASES:
                    value = made[0].operands[0]
                self.initialised.setdefault(value, []).append(operation)

    # ---- Nodes

    def add(self, kind, operation=None, **fields) -> int:
        self.nodes.append({"kind": kind, **fields})
        self.operations.append(operation)
        return len(self.nodes) - 1

    def sequence(self, children) -> int:
        return self.add("seq", children=children)

    def queue(self, name) -> dict:
        number = self.queues.setdefault(name, len(self.queues))
        return {"queue": number} if number else {}

    def place_of(self, operation) -> str:
        line = line_in(operation.location, self.buffers.file)
        return f" (line {line})" if line else ""

    def lose(self, what, operation):
        self.not_followed.add(f"{what} {operation.name}{self.place_of(operation)}")

    def block(self, block) -> list[int]:
        children = []
        for operation in block.operations:
            children += [self.made(inserted) for inserted in self.placed.before(operation)]
            children += self.visit(operation)
            children += [self.made(inserted) for inserted in self.placed.behind(operation)]
        return children

    # ---- Branches

    def paths(self, blocks) -> list[int]:
        """Of a function."""
        joins = Joins(blocks)
        if not joins.is_known:
            self.lose("where branches go from", blocks[0].operations[-1])
            return [node for block in blocks for node in self.block(block)]
        return self.path(blocks[0], None, joins) if blocks else []

    def path(self, block, end, joins) -> list[int]:
        """From a block up to another, or until the kernel returns."""
        children = []
        while block is not end and not self.is_end(block):
            if id(block) in self.seen:
                self.lose("which paths lead to", block.operations[0])
                break
            self.seen.add(id(block))
            children += self.block(block)
            branch, join = block.operations[-1], joins.join(block)
            if len(branch.successors) > 1:
                children += self.choice(branch, [self.path(one, join, joins) for one in branch.successors], join)
            block = join
        return children

    def is_end(self, block) -> bool:
        """Of the kernel, which does nothing more there."""
        return block is None or not (block.operations[-1].successors or any(map(self.matters, block.operations)))

    def choice(self, branch, paths, join) -> list[int]:
        """Where a path does nothing and returns, all that the kernel does then the other begins with: it is judged alone."""
        taken = [path for path in paths if path]
        if not taken or (self.is_end(join) and len(taken) == 1):
            return taken[0] if taken else []
        node = self.add("if", branch)
        self.nodes[node]["children"] = [self.sequence(path) for path in paths]
        return [node]

    def made(self, operation) -> int:
        """What a pass inserted after the program was flat."""
        return self.visit_order(operation)[0]

    # ---- Operations

    def visit(self, operation) -> list[int]:
        name = operation.name
        if name in self.VISITS:
            return self.VISITS[name](self, operation)
        if self.placed.size(operation):
            return self.scratch(operation)
        if name in ATOMICS and self.placed.ends_with_barrier(operation):
            return [self.meeting(operation)]
        if name not in ENDS and self.touches(operation):
            self.lose("what is touched by", operation)
        elif any(self.matters(inner) for region in operation.regions for block in region
                 for whole in block.operations for inner in whole.inside()):
            self.lose("what is done inside of", operation)
        return []

    def touches(self, operation) -> bool:
        types = [*operation.operand_types, *operation.types]
        return any(map(is_descriptor, types)) and operation.name not in ALIASES

    def matters(self, operation) -> bool:
        return operation.name not in ENDS and (operation.name in self.VISITS or self.touches(operation)
                                               or bool(self.placed.size(operation)))

    def visit_for(self, operation) -> list[int]:
        node = self.add("loop", operation, minTrips=0)
        count = trips(self.values, operation)
        if count is not None:
            self.nodes[node] |= {"minTrips": count, "maxTrips": count}
        self.loops.append(operation)
        self.nodes[node]["children"] = [self.sequence(self.block(operation.regions[0][0]))]
        self.loops.pop()
        return [node]

    def visit_while(self, operation) -> list[int]:
        """Its first region is its condition, which is done once more than its body; that of a lock has all that it does."""
        condition, body = (region[0] for region in operation.regions)
        waits, acts = (any(self.matters(inner) for whole in block.operations for inner in whole.inside()) for block in (condition, body))
        if waits and acts:
            self.lose("what is done in the condition of", operation)
            return []
        node = self.add("loop", operation, minTrips=int(waits))
        self.nodes[node]["children"] = [self.sequence(self.block(condition if waits else body))]
        return [node]

    def visit_if(self, operation) -> list[int]:
        node = self.add("if", operation)
        self.nodes[node]["children"] = [self.sequence(self.block(region[0])) for region in operation.regions if region]
        return [node]

    def visit_alloc(self, operation) -> list[int]:
        value = operation.results[0]
        role = "mbarrier" if value in self.initialised else ""
        buffer = self.buffers.allocated(operation, value in self.indexed, role)
        if buffer is None:
            self.lose("what is allocated by", operation)
            return []
        buffer.offset = self.place(operation)
        self.allocating.add(operation)
        self.values.buffers[value] = buffer
        if role:
            self.first_mbarrier[buffer.id] = len(self.mbarriers)
            self.mbarriers += [{"name": f"{buffer.name}[{slot}]", "arrivals": 0} for slot in range(buffer.versions)]
        if not operation.operands:
            return []
        return self.leaf(operation, self.access(operation, value, kind="write", full=True))

    def access(self, operation, value, **fields) -> list[dict]:
        """One; none: it is not known where."""
        pointer = self.values.pointer(value)
        if pointer is None:
            self.lose("where the descriptor points of", operation)
            return []
        access = {"buffer": pointer.buffer.id, **fields}
        slot = self.slot(pointer)
        if slot:
            access["slot"] = slot
        if pointer.is_part or (pointer.index is None and pointer.buffer.versions > 1):
            access.pop("full", None)
        return [access]

    def slot(self, pointer) -> dict:
        versions = pointer.buffer.versions
        if versions == 1:
            return {}
        sequence = None if pointer.index is None else self.values.sequence(pointer.index)
        if sequence is None or any(not 0 <= value < versions for value in sequence.first):
            return {"kind": "dynamic"}
        if len(set(sequence.first)) == 1:
            return {"kind": "constant", "offset": sequence.first[0]} if sequence.first[0] else {}
        if sequence.loop in self.loops and sequence.is_counted(versions):
            return {"kind": "loop", "offset": sequence.first[0], "modulus": versions, "loop": sequence.loop}
        return {"kind": "dynamic"}

    def leaf(self, operation, accesses) -> list[int]:
        return [self.add("leaf", operation, accesses=accesses)] if accesses else []

    def scratch(self, operation) -> list[int]:
        """Written, then read by others: what the operation held there before is never read. All threads meet between only
        where Triton's lowering has a barrier there. Else warps read what they wrote, which counts as one write."""
        buffer = self.buffers.scratch(operation, self.placed.size(operation))
        buffer.offset = self.place(operation)
        self.allocating.add(operation)
        is_before, is_between, is_behind = self.placed.barriers(operation)
        # Before others it is membar's, which there may be none of yet.
        nodes = [self.meeting(operation)] if is_before and operation.name in ATOMICS else []
        nodes += self.leaf(operation, [{"buffer": buffer.id, "kind": "write", "full": True}])
        if is_between:
            nodes += [self.meeting(operation), *self.leaf(operation, [{"buffer": buffer.id}])]
        return [*nodes, self.meeting(operation)] if is_behind else nodes

    def place(self, operation) -> int | None:
        offset = self.placed.offset(operation)
        return None if offset is None else self.base + offset

    def meeting(self, operation) -> int:
        """Of all threads that are there."""
        if self.lane is None:
            return self.add("barrier", operation, scope="block")
        number, threads = self.lane
        return self.add("namedBarrier", operation, barrierId=number, threads=threads)

    def descriptors(self, operation) -> list[int]:
        """Those of its operands that are memory descriptors, in order."""
        return [value for value, type_ in zip(operation.operands, operation.operand_types) if is_descriptor(type_)]

    def visit_load(self, operation) -> list[int]:
        return self.leaf(operation, self.access(operation, operation.operands[0]))

    def visit_store(self, operation) -> list[int]:
        return self.leaf(operation, self.access(operation, operation.operands[1], kind="write", full=True))

    def visit_copy(self, operation) -> list[int]:
        """Elements that the mask leaves out are filled."""
        fields = {"kind": "write", "full": True, "async": True}
        return self.leaf(operation, self.access(operation, self.descriptors(operation)[0], **fields))

    def visit_commit(self, operation) -> list[int]:
        return [self.add("commit", operation)]

    def visit_wait(self, operation) -> list[int]:
        return [self.add("wait", operation, pending=operation.integers.get("num", 0))]

    def visit_order(self, operation) -> list[int]:
        """Barriers and fences."""
        if operation.name == "ttng.fence_async_shared":
            return [self.add("proxyFence", operation)]
        is_local = operation.name == "gpu.barrier" or operation.integers.get("addrSpace", 0) & LOCAL
        return [self.meeting(operation) if is_local else self.add("barrier", operation, scope="warp")]

    def visit_order_here(self, operation) -> list[int]:
        """Of a flat program all of these are known with their places."""
        return [] if self.placed.is_flat else self.visit_order(operation)

    def visit_dot(self, operation) -> list[int]:
        fields = {"async": True, "asyncProxy": True, **self.queue(WGMMA)}
        reads = [access for value in self.descriptors(operation) for access in self.access(operation, value, **fields)]
        nodes = [*self.leaf(operation, reads), self.add("commit", operation, **self.queue(WGMMA))]
        if operation.integers.get("isAsync"):
            return nodes
        return [*nodes, self.add("wait", operation, pending=0, **self.queue(WGMMA))]

    def visit_dot_wait(self, operation) -> list[int]:
        """Of several warp groups its lowering lets each know of the others' wgmma."""
        nodes = [self.add("wait", operation, pending=operation.integers.get("pendings", 0), **self.queue(WGMMA))]
        is_met = self.placed.ends_with_barrier(operation)
        return [*nodes, self.meeting(operation)] if is_met else nodes

    def visit_tma_store(self, operation) -> list[int]:
        fields = {"async": True, "asyncProxy": True, **self.queue(STORES)}
        reads = self.access(operation, self.descriptors(operation)[0], **fields)
        nodes = [*self.leaf(operation, reads), self.add("commit", operation, **self.queue(STORES))]
        for node in nodes:
            self.nodes[node]["oneThread"] = True
        return nodes

    def visit_store_wait(self, operation) -> list[int]:
        return [self.add("wait", operation, pending=operation.integers.get("pendings", 0), oneThread=True,
                         **self.queue(STORES))]

    def visit_nothing(self, operation) -> list[int]:
        return []

    VISITS = {
        "scf.for": visit_for,
        "scf.if": visit_if,
        "scf.while": visit_while,
        "ttg.local_alloc": visit_alloc,
        "ttg.local_dealloc": visit_nothing,
        "ttg.local_load": visit_load,
        "ttg.local_store": visit_store,
        "ttg.async_copy_global_to_local": visit_copy,
        "ttg.async_commit_group": visit_commit,
        "ttg.async_wait": visit_wait,
        "ttg.barrier": visit_order_here,
        "gpu.barrier": visit_order_here,
        "ttng.fence_async_shared": visit_order_here,
        **dict.fromkeys(OF_CLUSTERS, visit_order_here),
        "tt.call": calls.visit,
        partitions.SPECIALIZE: partitions.visit,
        "ttng.warp_group_dot": visit_dot,
        "ttng.warp_group_dot_wait": visit_dot_wait,
        "ttng.async_tma_copy_local_to_global": visit_tma_store,
        "ttng.async_tma_store_wait": visit_store_wait,
        **mbarriers.VISITS,
    }
