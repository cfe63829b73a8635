"""Numbers of statements, the same ones after all passes as far as it can be told. TVM has none."""

import difflib

from tvm import tirx


class Numbers:
    """A statement has the number of the one in its place in the program before that does the same. `count` gives new
    ones."""

    def __init__(self, count):
        self.count = count
        self.numbers, self.does = [], []  # of the statements of the program before, and what each does

    def of(self, does):
        """`does`: what each statement of the program does, in order."""
        if does == self.does:
            return self.numbers
        head = common_length(self.does, does)
        tail = common_length(self.does[head:][::-1], does[head:][::-1])
        before, after = self.does[head:len(self.does) - tail], does[head:len(does) - tail]
        numbers = self.numbers[:head] + [None] * len(after) + self.numbers[len(self.numbers) - tail:]
        for old, new, length in difflib.SequenceMatcher(None, before, after, False).get_matching_blocks():
            numbers[head + new:head + new + length] = self.numbers[head + old:head + old + length]
        self.numbers = [next(self.count) if number is None else number for number in numbers]
        self.does = does
        return self.numbers


def common_length(first, second):
    """Of what two lists begin with."""
    pairs = enumerate(zip(first, second))
    return next((index for index, (one, other) in pairs if one != other), min(len(first), len(second)))


def what_it_does(stmt, buffers):
    """What a statement is like also after a pass that rewrote it: what it is, defines or calls, and the ids of the buffers
    in it and in what is inside."""
    kind, known = type(stmt), buffers.known
    name = known.facts(stmt).name
    if kind is tirx.For:
        name = stmt.loop_var.name
    elif kind is tirx.Bind:
        name = stmt.var.name
    elif kind in (tirx.BufferStore, tirx.AllocBuffer, tirx.DeclBuffer):
        name = stmt.buffer.name
    elif kind is tirx.AttrStmt:
        return kind.__name__, f"{stmt.attr_key} {getattr(stmt.node, 'thread_tag', '')}", frozenset()
    touched = buffers.by_data.keys() & known.all_variables(stmt)
    return kind.__name__, name, frozenset(buffers.by_data[variable].id for variable in touched)
