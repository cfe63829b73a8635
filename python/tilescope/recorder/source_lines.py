"""The kernel's line of every statement after every pass.

TileLang gives statements the line that they are written in; passes that rebuild a statement drop it. What is dropped is
worked out here, once the compile is over, from what was before the pass and what is around the statement after it:

    before                        after
    28  T.copy(A, A_shared)       28  for i in ...: A_shared[i] = A[i]    its own
                                 ~30  T.tvm_storage_sync("shared")        that of what needs it (synchronisation.py)
    30  T.gemm(A_shared, ...)    ~30  for k in ...:                       that of what is inside
                                  30      T.ptx_mma(...)                  its own
    31  T.copy(C_local, C)       ~31  C[...] = C_local[...]               that of the one statement that has these buffers
    20  with T.Kernel(...):      ~20  T.ptx_init_barrier_thread_count(..) that of the launch, which it sets up

Lines that were worked out are marked here as the views mark them. A statement without a line was made by the pass after
which its number is there first."""

import functools
import itertools
import os

import tilelang
import tilelang.ir
from tvm import tirx

from tilescope.recorder.buffers import real_path
from tilescope.recorder.callers import places_of
from tilescope.recorder.statement_numbers import what_it_does
from tilescope.recorder.synchronisation import Synchronisation

DECLARE = (tirx.AllocBuffer, tirx.DeclBuffer)
ELSEWHERE = -1  # the line of what is written in another file, and not called from a line of the kernel's
TILELANG = os.path.dirname(os.path.realpath(tilelang.__file__)) + os.sep


class SourceLines:
    """Of one compile, state by state."""

    def __init__(self, buffers):
        self.buffers, self.does = buffers, functools.cache(lambda stmt: what_it_does(stmt, buffers))
        self.synchronisation = Synchronisation(buffers)
        self.found = {}  # by statement: (line, whether it was worked out)
        self.line_outside = {}  # by statement that is for several lines or none: that of what it stands in
        self.kernel_buffers = set()  # those of `written`
        self.single = set()  # lines of one statement, or with all that is inside
        self.written = []  # [(ids of buffers, line)] of the statements of the kernel as it is written
        # What statements with a line of their own have, and all lines of those: loop variables, what they do, and of
        # those around others their kind with the lines inside.
        self.of_loop, self.of_doing, self.of_inside = {}, {}, {}
        self.before = []  # [(number, line)] of the state before, in order
        self.leaves, self.made = [], []  # of the statements that are looked at, whether they are

    def line(self, stmt):
        """0: none."""
        line = self.found[stmt][0]
        return max(line, 0) or (0 if line == ELSEWHERE else self.line_outside.get(stmt, 0))

    def is_carried(self, stmt):
        """Whether its line was worked out."""
        return self.line(stmt) > 0 and (self.found[stmt][1] or self.found[stmt][0] <= 0)

    def look_at(self, statements, numbers):
        """The next state. `statements`: [(statement, index of the one around it or -1)], those around first."""
        stmts, outside = [stmt for stmt, _ in statements], [around for _, around in statements]
        own = [self.own_line(stmt) for stmt in stmts]
        lines = [line for line, _ in own]
        self.leaves, self.made = [self.is_leaf(stmt) for stmt in stmts], [self.is_made(stmt) for stmt in stmts]
        if not self.before:
            self.note_written(stmts, outside, lines)
        after = [numbers[stmt] for stmt in stmts]
        self.fill_inside(stmts, outside, lines)
        self.fill_leaves(stmts, outside, after, lines)
        self.fill_around(stmts, outside, after, lines)
        self.fill_inside(stmts, outside, lines)
        self.fill_declarations(stmts, lines)
        self.fill_loops(stmts, outside, lines)
        self.synchronisation.fill(statements, lines)
        self.fill_around(stmts, outside, after, lines, with_made=True)
        for stmt, line, (exact, is_carried) in zip(stmts, lines, own):
            self.found[stmt] = (line, is_carried or not exact)
        self.note_outside(stmts, outside, lines)
        self.learn(stmts, outside, lines)
        self.before = [(number, line, self.found[stmt][1]) for number, line, stmt in zip(after, lines, stmts)]

    # ---- What is known without looking around

    def own_line(self, stmt):
        """(line or 0, whether it was worked out): of its span or its buffer, or the one that it got before."""
        if stmt in self.found:
            return self.found[stmt]
        span = tilelang.ir.get_stmt_span(stmt)
        line = self.line_of(span) if span is not None else 0
        # What a pass made to order statements of a loop has that of the loop.
        if line and not (self.before and self.synchronisation.is_one(stmt) and line not in self.single):
            return line, False
        return self.line_of_declared(stmt), False

    def line_of(self, span):
        """In the kernel file: where it stands, or where what it stands in is called. 0: it is not known, for TileLang's own
        files say nothing of who uses them."""
        places = [(real_path(file), line) for file, line in places_of(span)]
        here = next((int(line) for file, line in places if line > 0 and file is not None and file == self.buffers.file), 0)
        return here or (0 if (places[0][0] or TILELANG).startswith(TILELANG) else ELSEWHERE)

    def line_of_declared(self, stmt):
        """Where the buffer is declared that a statement gives its place."""
        data = defined(stmt)
        buffer = self.buffers.by_data.get(hash(data)) if data is not None else None
        return buffer.line if buffer is not None else 0

    def note_written(self, stmts, outside, lines):
        leaves = [(stmt, line) for stmt, line in zip(stmts, lines) if line and self.is_leaf(stmt)]
        self.written = [(self.does(stmt)[2], line) for stmt, line in leaves]
        self.kernel_buffers = set().union(*(ids for ids, _ in self.written))
        inside = lines_inside(outside, lines)
        around = {line for line, others in zip(lines, inside) if others - {line}}
        self.single = {line for _, line in leaves} - around

    # ---- Statements that have none inside

    def is_leaf(self, stmt):
        return not self.buffers.known.facts(stmt).children and type(stmt) not in DECLARE

    def is_made(self, stmt):
        """Of no statement, or of one that is looked for in another way."""
        return self.synchronisation.is_one(stmt) or self.synchronisation.sets_up(stmt)

    def fill_leaves(self, stmts, outside, after, lines):
        of_number = {number: (line, is_carried) for number, line, is_carried in self.before}
        open_ = []  # by statement: lines that it may be of, None: it needs none
        for index, stmt in enumerate(stmts):
            before, is_carried = of_number.get(after[index], (0, True))
            if not lines[index] and not is_carried and self.synchronisation.is_one(stmt):
                lines[index] = before  # written in the kernel
            is_open = not lines[index] and self.leaves[index] and not self.made[index] and type(stmt) is not tirx.Bind
            possible = self.lines_with_buffers_of(stmt) if is_open else None
            if is_open:
                around = outside[index]
                loop = lines[around] if around >= 0 and type(stmts[around]) is tirx.For and self.has_made_buffer(stmt) else 0
                # In this order they were wrong least often when lines that are known were hidden (check_recorded.py).
                lines[index] = (before if not is_carried or before in possible else 0) or loop or only(possible) or \
                    (0 if possible else before) or self.line_of_copied(stmt, possible)
            open_.append(possible if is_open and not lines[index] else None)
        fill_gaps(self.before, after, lines, open_)

    def lines_with_buffers_of(self, stmt):
        """Of statements of the kernel that have all buffers of the kernel that it has; none: it has none."""
        ids = self.does(stmt)[2] & self.kernel_buffers
        return {line for others, line in self.written if ids <= others} if ids else set()

    def has_made_buffer(self, stmt):
        """One that the kernel does not name, as those that hold a part of a tile."""
        return bool(self.does(stmt)[2] - self.kernel_buffers)

    def line_of_copied(self, stmt, possible):
        """Of all that do the same, if that is one. Without a buffer it says too little to be a copy."""
        does = self.does(stmt)
        line = only(self.of_doing.get(does, ())) if does[2] else 0
        return line if line in possible or not possible else 0

    # ---- Statements with others inside

    def fill_around(self, stmts, outside, after, lines, with_made=False):
        of_number, inside = {number: line for number, line, _ in self.before}, LinesInside(outside)
        for index in reversed(range(len(stmts))):
            stmt = stmts[index]
            if not lines[index] and not self.leaves[index] and type(stmt) not in DECLARE:
                lines[index] = self.line_around(stmt, frozenset(inside.of(index)), of_number.get(after[index], 0))
            inside.add(index, lines[index] if with_made or not self.made[index] else 0)

    def line_around(self, stmt, inside, before):
        # Passes give blocks of a pipelined loop its line, or that of what is inside.
        if type(stmt) is tirx.SBlockRealize:
            return before
        if type(stmt) is tirx.SBlock:
            return only({only(self.of_inside.get((type(stmt), inside), ())), before} - {0})
        if self.is_elected(stmt):
            return only(inside)
        loop = only(self.of_loop.get(hash(stmt.loop_var), ())) if type(stmt) is tirx.For else 0
        return loop or before or only(self.of_inside.get((type(stmt), inside), ())) or only(inside)

    def is_elected(self, stmt):
        """Passes join such conditions of several copies, and leave the line of one."""
        return type(stmt) is tirx.IfThenElse and "elect" in self.buffers.known.facts(stmt).name

    def fill_inside(self, stmts, outside, lines):
        """All of what was made of one statement without others inside is of it."""
        for index, around in enumerate(outside):
            if not lines[index] and around >= 0 and lines[around] in self.single and not self.is_elected(stmts[around]):
                lines[index] = lines[around]

    def fill_loops(self, stmts, outside, lines):
        """What nothing else is known of is of the loop that it stands in."""
        for index, around in enumerate(outside):
            if not lines[index] and around >= 0 and self.leaves[index] and not self.made[index] \
                    and type(stmts[around]) is tirx.For and type(stmts[index]) is not tirx.Bind:
                lines[index] = lines[around]

    def fill_declarations(self, stmts, lines):
        """A buffer or a value that statements of one line alone use is of that line."""
        used = {hash(defined(stmt)): set() for stmt, line in zip(stmts, lines) if not line and defined(stmt) is not None}
        for stmt, line in zip(stmts, lines) if used else ():
            for variable in used.keys() & self.buffers.known.own_variables(stmt) if line else ():
                used[variable].add(line)
        for index, stmt in enumerate(stmts):
            if not lines[index] and defined(stmt) is not None:
                lines[index] = only(used[hash(defined(stmt))])

    def note_outside(self, stmts, outside, lines):
        """What orders, declares or parts threads for several lines is of what it stands in: a loop or the launch. Other
        statements are not worked out from it."""
        around = []  # by statement: its line, or that of the nearest one around it
        for stmt, outer, line, is_made in zip(stmts, outside, lines, self.made):
            nearest = around[outer] if outer >= 0 else 0
            around.append(line if line > 0 else nearest)
            if not line and nearest and (is_made or type(stmt) in (*DECLARE, tirx.IfThenElse)):
                self.line_outside[stmt] = nearest

    # ---- What the next states are told

    def learn(self, stmts, outside, lines):
        inside = LinesInside(outside)
        for index in reversed(range(len(stmts))):
            stmt, line = stmts[index], lines[index]
            if line and not self.found[stmt][1]:
                self.of_doing.setdefault(self.does(stmt), set()).add(line)
                if said := frozenset(inside.of(index)):
                    self.of_inside.setdefault((type(stmt), said), set()).add(line)
                if type(stmt) is tirx.For:
                    self.of_loop.setdefault(hash(stmt.loop_var), set()).add(line)
            inside.add(index, 0 if self.made[index] else line)


class LinesInside:
    """Of the statements inside of each, from the last statement to the first."""

    def __init__(self, outside):
        self.outside, self.sets = outside, {}

    def of(self, index):
        return self.sets.get(index, ())

    def add(self, index, line):
        """What is inside of it, and its own line (0: none), stand in what is around it."""
        said = self.sets.get(index)
        if line or said:
            around = self.sets.setdefault(self.outside[index], set())
            around.update(said or ())
            if line:
                around.add(line)


def lines_inside(outside, lines):
    """By statement, those of all that is inside."""
    inside = [set() for _ in lines]
    for index in reversed(range(len(lines))):
        if outside[index] >= 0:
            inside[outside[index]] |= inside[index] | ({lines[index]} - {0})
    return inside


def defined(stmt):
    """The variable that a statement defines; None: it defines none."""
    return stmt.var if type(stmt) is tirx.Bind else stmt.buffer.data if type(stmt) in DECLARE else None


def only(lines):
    """The line, if it is one; else 0."""
    return next(iter(lines)) if len(lines) == 1 else 0


def fill_gaps(before, after, lines, open_):
    """Of statements that have a set in `open_`, the lines that they may be of, an empty one: any; what a new one has in its
    place stood between those that its neighbours come from."""
    place = {number: index for index, (number, *_) in enumerate(before)}
    stays = set(after)
    begin, new = 0, []
    for index, number in enumerate([*after, None]):
        if number is not None and number not in place:
            new.append(index)
            continue
        end = place.get(number, len(before))
        if any(open_[each] is not None for each in new):
            fill(new, [line for other, line, _ in before[begin:end] if other not in stays and line], lines, open_)
        begin, new = end + 1, []


def fill(new, went, lines, open_):
    """`new`: indices of new statements between two that stay, where those of the lines `went` stood before. One without a
    line comes from what stood between those that its neighbours come from, if that is of one line."""
    groups, last = [line for line, _ in itertools.groupby(went)], -1  # `last`: the group that the one before comes from
    for at, index in enumerate(new):
        if open_[index] is not None:
            following = next((lines[other] for other in new[at:] if lines[other]), None)
            end = groups.index(following, last + 1) if following in groups[last + 1:] else len(groups)
            between = set(groups[last + 1:end])
            may_be = between & open_[index] if open_[index] else between
            neighbours = {groups[i] for i in (last, end) if 0 <= i < len(groups)}
            lines[index] = only(may_be) or (0 if may_be else only(neighbours & open_[index]) if open_[index] else
                                            groups[last] if last >= 0 else 0)
        elif lines[index] in groups[last + 1:]:
            last = groups.index(lines[index], last + 1)
