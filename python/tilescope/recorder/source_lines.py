"""The kernel's line of every statement after every pass.

TileLang gives statements the line that they are written in; passes that rebuild a statement drop it. What is dropped is
carried over here, from the statements before a pass to those after it, once the compile is over:

    before                        after
    28  T.copy(A, A_shared)       28  for i in ...: A_shared[i] = A[i]    its own
                                      T.tvm_storage_sync("shared")        made by the pass: nothing went from there
    30  T.gemm(A_shared, ...)     30  for k in ...:                       that of the statement with the same number
                                  30      T.ptx_mma(...)                  inside of what was one statement before
    31  T.copy(C_local, C)        31  if ...:                             around statements of one line alone
                                  31      C[...] = C_local[...]           that of what went from the place

A statement without a line was made by the pass after which its number is there first."""

import contextlib
import functools
import itertools

import tilelang.ir
from tilelang.language.eager.builder import Builder
from tvm import tirx

from tilescope.recorder.buffers import real_path
from tilescope.recorder.numbers import what_it_does

CALLERS = {}  # by handle of a span in a macro: (the span, which must live as long, [(file, line)] of the calls around)


DECLARE = (tirx.AllocBuffer, tirx.DeclBuffer)


class Called(str):
    """The file of a macro, with `callers`: [(file, line)], innermost last."""


@contextlib.contextmanager
def callers_noted():
    """While kernels are built: which lines call the macro that a statement stands in. TileLang's own operations are such
    macros, in files of its own. Nothing else changes: spans are what they would be."""
    set_fileline, make_span = Builder.set_fileline, tilelang.ir.make_span

    def set_called(self, file, line, name):
        if self.macro_fileline_stack:
            file = Called(file)
            file.callers = [(str(caller), at) for caller, at, _ in self.macro_fileline_stack]
        set_fileline(self, file, line, name)

    def make_noted(file, line):
        span = make_span(str(file), line)
        if isinstance(file, Called):
            CALLERS[hash(span)] = (span, file.callers)
        return span

    Builder.set_fileline, tilelang.ir.make_span = set_called, make_noted
    try:
        yield
    finally:
        Builder.set_fileline, tilelang.ir.make_span = set_fileline, make_span


class SourceLines:
    """Of one compile, state by state."""

    def __init__(self, buffers):
        self.buffers, self.does = buffers, functools.cache(lambda stmt: what_it_does(stmt, buffers))
        self.of_doing = {}  # by what statements do: their lines
        self.lines = {}  # by statement; 0: none
        self.before = []  # [(number, line, whether others are inside)] of the state before, in order

    def look_at(self, statements, numbers):
        """The next state. `statements`: [(statement, index of the one around it or -1)], those around first."""
        of_number = {number: line for number, line, _ in self.before}
        after = [numbers[stmt] for stmt, _ in statements]
        lines = [self.own_line(stmt) or of_number.get(number) or self.line_of_copied(stmt)
                 for (stmt, _), number in zip(statements, after)]
        lines = fill_gaps([(number, line) for number, line, _ in self.before], list(zip(after, lines)))
        outside = [index for _, index in statements]
        # What a pass makes, or fills: it has no say over what is in others.
        nests = {number for number, _, has_inside in self.before if has_inside}
        is_new = [number not in nests for number in after]
        fill_outside(lines, outside, is_new)
        fill_inside(lines, outside, is_new)
        self.fill_declarations([stmt for stmt, _ in statements], lines)
        for (stmt, _), line in zip(statements, lines):
            if stmt not in self.lines and line:
                self.of_doing.setdefault(self.copied(stmt), set()).add(line)
            self.lines[stmt] = line
        around = set(outside)
        self.before = [(number, line, index in around) for index, (number, line) in enumerate(zip(after, lines))]

    def own_line(self, stmt):
        """Or the one that it got before. None: neither."""
        if stmt in self.lines:
            return self.lines[stmt]
        span = tilelang.ir.get_stmt_span(stmt)
        return (self.line_of(span) if span is not None else None) or self.line_of_declared(stmt)

    def line_of(self, span):
        """In the kernel file: where it stands, or where what it stands in is called; None elsewhere."""
        _, callers = CALLERS.get(hash(span), (None, ()))
        for file, line in ((str(span.source_name.name), span.line), *reversed(callers)):
            if line > 0 and real_path(file) == self.buffers.file:
                return int(line)
        return None

    def copied(self, stmt):
        """What copies of a statement have in common. Of a loop: how often it runs, for one may have a part of its body
        alone. Of any other: its buffers."""
        kind, name, buffers = self.does(stmt)
        if type(stmt) is tirx.For:
            return kind, name, (stmt.kind, str(stmt.min), str(stmt.extent))
        return kind, name, buffers

    def line_of_copied(self, stmt):
        """Of all that do the same, if that is one. Without a buffer it says too little to be a copy."""
        does = self.copied(stmt)
        lines = self.of_doing.get(does, ()) if does[2] else ()
        return next(iter(lines)) if len(lines) == 1 else None

    def line_of_declared(self, stmt):
        """Where the buffer is declared that a statement gives its place."""
        data = stmt.var if type(stmt) is tirx.Bind else stmt.buffer.data if type(stmt) in DECLARE else None
        buffer = self.buffers.by_data.get(hash(data)) if data is not None else None
        return buffer.line or None if buffer is not None else None

    def fill_declarations(self, statements, lines):
        """A buffer that statements of one line alone use is of that line."""
        used = {hash(stmt.buffer.data): set() for stmt, line in zip(statements, lines) if not line and type(stmt) in DECLARE}
        for stmt, line in zip(statements, lines) if used else ():
            for variable in used.keys() & self.buffers.known.own_variables(stmt):
                used[variable].add(line)
        for index, stmt in enumerate(statements):
            if not lines[index] and type(stmt) in DECLARE and len(used[hash(stmt.buffer.data)]) == 1:
                lines[index], = used[hash(stmt.buffer.data)]


def fill_inside(lines, outside, is_new):
    for index, around in enumerate(outside):
        if not lines[index] and around >= 0 and is_new[around]:
            lines[index] = lines[around]


def fill_outside(lines, outside, is_new):
    inside = {}  # by index: the lines
    for index in reversed(range(len(lines))):
        if not lines[index] and is_new[index] and len(inside.get(index, ())) == 1:
            lines[index] = next(iter(inside[index]))
        inside.setdefault(outside[index], set()).update(inside.get(index, ()), {lines[index]} - {0})


def fill_gaps(before, after):
    """The lines of `after`, [(number, line)], where None is the line of what went from the same place, else 0."""
    place = {number: index for index, (number, _) in enumerate(before)}
    stays = {number for number, _ in after}
    lines, begin, new = [], 0, []
    for number, line in [*after, (None, 0)]:
        if number not in place and number is not None:
            new.append(line)
            continue
        end = place.get(number, len(before))
        if new:
            lines += fill(new, [line for number, line in before[begin:end] if number not in stays and line])
        lines.append(line or 0)
        begin, new = end + 1, []
    return lines[:-1]


def fill(new, went):
    """The lines of new statements between two that stay, where those of the lines `went` stood before. One without a line
    comes from what stood between those that its neighbours come from, if that is of one line."""
    groups = [line for line, _ in itertools.groupby(went)]
    result, last = [], -1  # the group that the statement before comes from
    for index, line in enumerate(new):
        if line is None:
            following = next((other for other in new[index:] if other), None)
            end = groups.index(following, last + 1) if following in groups[last + 1:] else len(groups)
            between = set(groups[last + 1:end])
            line = between.pop() if len(between) == 1 else groups[last] if not between and last >= 0 else 0
        elif line in groups[last + 1:]:
            last = groups.index(line, last + 1)
        result.append(line)
    return result
