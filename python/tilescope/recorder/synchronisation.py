"""The line of a statement that a pass made to order others, as waits, arrivals and barriers: that of the one it is for.

    ~32  T.mbarrier_wait_parity(empty)        what comes behind it in its sequence and touches shared memory
    ~32  T.ptx_arrive_barrier_expect_tx(full, 8192)
     32  T.tma_load(A_desc, full, A_shared)
    ~39  T.mbarrier_wait_parity(full)
     39  T.ptx_wgmma_ss(...)
    ~39  T.ptx_arrive_barrier(empty)          what comes before it

What sets a launch up is for no statement: it has the line of what it stands in (source_lines.py)."""

from tvm import tirx

from tilescope.recorder.statements import LEAVES_LOOP, is_sync

# Of no statement of the kernel: they start mbarriers, fetch descriptors and divide registers among roles.
SETS_UP = ("ptx_init_barrier_thread_count", "ptx_fence_barrier_init", "prefetch_tma_descriptor", "set_max_nreg",
           "no_set_max_nreg")
# They end, count or hand over what was done before them. All others are for what comes next.
CLOSES = ("ptx_arrive_barrier", "ptx_arrive_cluster_barrier", "ptx_cp_async_barrier", "ptx_cp_async_barrier_noinc",
          "ptx_commit_group", "warpgroup_commit_batch", "warpgroup_wait", "wait_wgmma", "tma_store_arrive", "tma_store_wait")
PASSED_THROUGH = (tirx.AttrStmt, tirx.SBlock, tirx.SBlockRealize)


def plain_name(name):
    return name.rpartition(".")[2]


class Synchronisation:
    def __init__(self, buffers):
        self.buffers, self.known = buffers, buffers.known

    def is_one(self, stmt):
        name = self.known.facts(stmt).name
        return type(stmt) is tirx.Evaluate and plain_name(name) not in LEAVES_LOOP and is_sync(name)

    def sets_up(self, stmt):
        return plain_name(self.known.facts(stmt).name) in SETS_UP

    def touches_shared(self, stmt):
        return "wgmma" in self.known.facts(stmt).name or not self.buffers.shared.keys().isdisjoint(self.known.own_variables(stmt))

    def fill(self, statements, lines):
        """The lines of those that have none. `statements`: [(statement, index of the one around it or -1)]."""
        open_ = [index for index, (stmt, _) in enumerate(statements)
                 if not lines[index] and self.is_one(stmt) and not self.sets_up(stmt)]
        if not open_:
            return
        tree = Tree([stmt for stmt, _ in statements], [around for _, around in statements])
        found = {index: self.line_of(index, tree, lines) for index in open_}
        for index, line in found.items():
            lines[index] = line

    def line_of(self, index, tree, lines):
        closes = plain_name(self.known.facts(tree.statements[index]).name) in CLOSES
        if not closes and self.ends_set_up(index, tree):
            return 0
        for other in tree.before(index) if closes else tree.behind(index):
            stmt = tree.statements[other]
            if type(stmt) is tirx.IfThenElse and stmt.else_case is not None and not closes:
                return lines[other]  # of roles that is none: a barrier before them is for all of them
            if lines[other] and not self.is_one(stmt) and not self.known.facts(stmt).children and self.touches_shared(stmt):
                return lines[other]
        return 0

    def ends_set_up(self, index, tree):
        """The barrier after which all threads see the mbarriers."""
        before = next(tree.before(index), None)
        return before is not None and self.sets_up(tree.statements[before])


class Tree:
    """The order of statements of which those around come first."""

    def __init__(self, statements, around):
        self.statements, self.around = statements, around
        self.end = list(range(1, len(around) + 1))  # behind the last inside
        for index in reversed(range(len(around))):
            if around[index] >= 0:
                self.end[around[index]] = max(self.end[around[index]], self.end[index])

    def behind(self, index):
        """What runs next, of its sequence and of those around it up to the loop."""
        while True:
            end, around = self.limits(index)
            yield from range(self.end[index], end[1])
            if around < 0 or not self.is_left(around):
                return
            index = around

    def before(self, index):
        """The same, backwards."""
        while True:
            limits, around = self.limits(index)
            yield from range(index - 1, limits[0] - 1, -1)
            if around < 0 or not self.is_left(around):
                return
            index = around

    def is_left(self, around):
        """Whether what stands around a statement is no more than a name or a condition of it."""
        stmt = self.statements[around]
        return type(stmt) in PASSED_THROUGH or (type(stmt) is tirx.IfThenElse and stmt.else_case is None)

    def limits(self, index):
        """([begin, end) of the sequence that it stands in, what is around it)"""
        around = self.around[index]
        if around < 0:
            return (index, self.end[index]), around
        begin, end = around + 1, self.end[around]
        stmt = self.statements[around]
        if type(stmt) is tirx.IfThenElse and stmt.else_case is not None:
            other = self.begin_of(stmt.else_case, begin, end)
            begin, end = (begin, other) if index < other else (other, end)
        return (begin, end), around

    def begin_of(self, case, begin, end):
        first = case.seq[0] if type(case) is tirx.SeqStmt else case
        while type(first) is tirx.SeqStmt:
            first = first.seq[0]
        return next((index for index in range(end - 1, begin - 1, -1) if self.statements[index].same_as(first)), end)
