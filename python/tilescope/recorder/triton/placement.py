"""Where Triton placed buffers, and where it inserted barriers and fences: by the operations of the structured form.

Triton allocates after loops and conditions have become branches. Until then the operations are the same, in the same
order, so each has a twin. What was inserted stands between two twins of one basic block, or at an end of it; a barrier in a
block without any is left out, which can take a yes away and give none."""

import collections

from tilescope.recorder.triton.partitions import all_meet

OF_CLUSTERS = ("ttng.cluster_barrier", "ttng.cluster_arrive", "ttng.cluster_wait")
INSERTED = ("ttg.barrier", "gpu.barrier", "ttng.fence_async_shared", *OF_CLUSTERS)
DIALECTS = ("tt.", "ttg.", "ttng.", "nvws.")
LEFT_OUT = ("tt.reduce.return", "tt.scan.return", "tt.return")  # blocks that only return become one
NO_CODE = ("ttng.reinterpret_tensor_descriptor",)
# Their lowering has no barrier of all threads, but for that of scratch.
QUIET = ("arith.", "math.", "cf.", "ub.", "tt.addptr", "tt.bitcast", "tt.broadcast", "tt.clampf", "tt.dot", "tt.expand_dims",
         "tt.fp_to_fp", "tt.get_program_id", "tt.load", "tt.make_range", "tt.reshape", "tt.splat", "tt.store", "tt.trans",
         "ttg.async_", "ttg.convert_layout", "ttg.local_alloc", "ttg.local_dealloc", "ttg.local_load", "ttg.local_store",
         "ttg.memdesc_")


class NotPlaced:
    """A program before Triton's allocation."""

    is_flat = False
    lost = ""
    twin = {}

    def before(self, _):
        return ()

    def behind(self, _):
        return ()

    def size(self, _):
        return 0

    def offset(self, _):
        return None

    def barriers(self, _):
        return False, False, False

    def ends_with_barrier(self, _):
        return False

    def do_all_meet(self):
        return True


class Previewed(NotPlaced):
    """A structured program, with what Triton's allocation would do with it now (previews.py)."""

    def size(self, operation) -> int:
        return 0 if operation.name == "ttg.local_alloc" else operation.integers.get("allocation.size", 0)

    def offset(self, operation) -> int | None:
        return operation.integers.get("allocation.offset")


class Placed:
    """`lowered`: as module_copy.lowered_at; None: it is not known. `lost`: why operations have no twins, which then nothing is known of; "": they have."""

    is_flat = True

    def __init__(self, structured, flat, lowered, ptx):
        self.flat, self.lowered, self.ptx = flat, lowered, ptx
        first, second = twins_of(structured), twins_of(flat)
        self.lost = difference(first, second)
        pairs = [] if self.lost else list(zip(first, second))
        self.twin = dict(pairs)
        self.inserted_before, self.inserted_behind = collections.defaultdict(list), collections.defaultdict(list)
        self.place({flat: structured for structured, flat in pairs})
        self.at = collections.defaultdict(list)
        for operation in flat.inside():
            self.at[operation.location].append(operation)

    def place(self, of_flat):
        blocks = [block for operation in self.flat.inside() for block in operation.blocks()]
        for block in blocks:
            waiting, last = [], None
            for operation in block.operations:
                if operation.name in INSERTED:
                    waiting.append(operation)
                elif operation in of_flat:
                    last = of_flat[operation]
                    self.inserted_before[last] += waiting
                    waiting = []
            if last is not None:
                self.inserted_behind[last] += waiting

    def before(self, operation):
        return self.inserted_before.get(operation, ())

    def behind(self, operation):
        return self.inserted_behind.get(operation, ())

    def size(self, operation) -> int:
        """Bytes of scratch; 0: it has none."""
        twin = self.twin.get(operation)
        return twin.integers.get("allocation.size", 0) if twin is not None and twin.name != "ttg.local_alloc" else 0

    def offset(self, operation) -> int | None:
        twin = self.twin.get(operation)
        return None if twin is None else twin.integers.get("allocation.offset")

    def barriers(self, operation) -> tuple[bool, bool, bool]:
        """Whether the lowering of an operation with scratch has a barrier of all threads before what it does to memory, one
        between, and one behind that. Operations of one location and of the same types are lowered alike; of others at one location
        it is not known which it is of."""
        twin = self.twin.get(operation)
        if twin is None or self.lowered is None:
            return False, False, False
        here = self.at[twin.location]
        alike = [other for other in here if other.integers.get("allocation.size") and other.name != "ttg.local_alloc"]
        inside = {id(inner) for other in alike for inner in other.inside()}
        others = [other for other in here if id(other) not in inside and other.name not in INSERTED
                  and not other.name.startswith(QUIET)]
        if others or any(kind_of(other) != kind_of(twin) for other in alike):
            return False, False, False
        lowered, inserted = self.lowered.get(twin.location, ""), sum(other.name in INSERTED[:2] for other in here)
        if len(alike) == 1 and lowered.startswith("b" * inserted):
            own = lowered[inserted:]
            return own.startswith("b"), "b" in own.strip("b"), own.endswith("b")
        own = lowered.count("b") - inserted
        return False, own >= len(alike) and own % len(alike) == 0, False

    def misplaced(self):
        """The first operation where the lowering has not the barriers that are inserted there; None: there is none."""
        for location, here in self.at.items():
            barriers = self.lowered.get(location, "").count("b") - sum(other.name in INSERTED[:2] for other in here)
            has_own = any(other.integers.get("allocation.size") or not other.name.startswith(QUIET) for other in here
                          if other.name not in INSERTED)
            if barriers < 0 or (barriers > 0 and not has_own):
                return here[0]
        return None

    def ends_with_barrier(self, operation) -> bool:
        """Whether the lowering of the last operation of a location has a barrier of all threads behind all else."""
        twin = self.twin.get(operation)
        if twin is None or self.lowered is None:
            return False
        here = self.at[twin.location]
        if any(other.name.startswith(DIALECTS) and other.name not in NO_CODE for other in here[here.index(twin) + 1:]):
            return False
        lowered = self.lowered.get(twin.location, "")
        inserted = sum(other.name in INSERTED[:2] for other in self.at[twin.location])
        return lowered.endswith("b") and lowered.count("b") > inserted


    def do_all_meet(self) -> bool:
        """As of partitions.all_meet."""
        return all_meet(self.flat, self.ptx)


def kind_of(operation):
    return operation.name, operation.operand_types, operation.types, operation.integers.get("allocation.size")


def twins_of(function):
    return [operation for operation in function.inside()
            if operation.name.startswith(DIALECTS) and operation.name not in INSERTED + LEFT_OUT]


def difference(first, second) -> str:
    """The first operation that has no twin."""
    for one, other in zip(first, second):
        if (one.name, one.location) != (other.name, other.location):
            return one.name
    return "" if len(first) == len(second) else max(first, second, key=len)[min(len(first), len(second))].name
