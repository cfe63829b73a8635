"""A trace as a file: core/trace_file/README.md has the format."""

import contextlib
import difflib
import json
import os
import pathlib

MAJOR, MINOR = 1, 8  # of the format
FULL_SNAPSHOT_EVERY = 32


ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class Writer:
    def __init__(self, out):
        self.out, self.offset = out, 0
        self.lines, self.records, self.pass_ends = {}, [], []
        self.text, self.parts = [], {}
        self.snapshots = self.last_full = 0

    def record(self, kind, number=0, **fields):
        data = (ENCODER.encode({"record": kind, **fields}) + "\n").encode("utf-8", "replace")
        self.out.write(data)
        self.records.append([kind, len(data)] + ([number] if number else []))
        self.offset += len(data)

    def state(self, lines, parts):
        numbers, new = [], []
        for line in lines:
            if line not in self.lines:
                self.lines[line] = len(self.lines)
                text, stmt, source, is_carried = line
                new.append([text, stmt, None, [source, 1, source, 1] if source else None, *([True] if is_carried else [])])
            numbers.append(self.lines[line])
        if new:
            self.record("lines", len(new), count=len(new), lines=new)
        if self.snapshots % FULL_SNAPSHOT_EVERY == 0:
            self.last_full = self.offset
            self.record("snapshot", 1, full=numbers)
        else:
            self.record("snapshot", edits=edits_of(self.text, numbers))
        self.text, self.snapshots = numbers, self.snapshots + 1
        for kind, part in parts.items():
            if part != self.parts.get(kind, []):
                self.record(kind, **{kind: part})
                self.parts[kind] = part

    def pass_end(self, name, depth, status, seconds, remarks=()):
        index, offset, previous = len(self.pass_ends), self.offset, self.pass_ends[-1] if self.pass_ends else None
        said = {"remarks": remarks} if remarks else {}
        self.record("passEnd", index=index, name=name, depth=depth, status=status, snapshot=self.snapshots - 1,
                    **said, previousPassEnd=previous, lastFull=self.last_full)
        self.pass_ends.append(offset)
        self.record("time", index=index, wallMicroseconds=round(seconds * 1e6))


def edits_of(before, after):
    """[[at, removed, inserted], ...]"""
    head = len(os.path.commonprefix([before, after]))
    tail = len(os.path.commonprefix([before[head:][::-1], after[head:][::-1]]))
    middles = before[head:len(before) - tail], after[head:len(after) - tail]
    common = set(middles[0]).intersection(middles[1])
    (old, old_at), (new, new_at) = (gathered(middle, common, other) for middle, other in zip(middles, (-1, -2)))
    return [[head + old_at[i], old_at[j] - old_at[i], after[head + new_at[k]:head + new_at[n]]]
            for kind, i, j, k, n in difflib.SequenceMatcher(None, old, new, False).get_opcodes() if kind != "equal"]


def gathered(numbers, common, other):
    """(the numbers, with `other` for each run of those that are not common; where each of these begins, and the last ends)"""
    items, begins = [], []
    for at, number in enumerate(numbers):
        if number in common:
            items.append(number)
        elif items and items[-1] == other:
            continue
        else:
            items.append(other)
        begins.append(at)
    return items, [*begins, len(numbers)]


@contextlib.contextmanager
def output(path):
    """The name to write under: beside the final one, so that nobody reads half a trace, and what is a link stays one.
    What is no file, such as a pipe, is written in place. Without anything written, the final name is left alone."""
    real = pathlib.Path(os.path.realpath(path))
    if real.exists() and not real.is_file():
        with open(real, "wb"):
            yield real
        return
    beside = real.with_name(f".{real.name}.{os.getpid()}")
    try:
        with open(beside, "wb"):
            yield beside
        if beside.stat().st_size > 0:
            os.replace(beside, real)
    finally:
        beside.unlink(missing_ok=True)
