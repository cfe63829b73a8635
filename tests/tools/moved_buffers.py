#!/usr/bin/env python3
"""Looks for a shared buffer that only has to be moved to save a barrier.

usage: moved_buffers.py TILESCOPE [--target sm_80] [--examples EXAMPLES [--csv FILE] [--only PREFIX ...]] [-v]
                        [KERNEL.py...]

Compiles every kernel instance of testdata/kernels, or, with --examples, of a checkout of TileLang's examples outside
this tree (see corpus.py). Moves each buffer of each final plan, alone, to every other place that is no higher, aligned,
and free while it is live: to the bottom, to the top, and so that one of its versions touches one of another. Then
insert-barriers places barriers again. They are counted as often as they are passed; a loop of unknown length counts 16.

Prints a line for each move that saves some, and for each plan whose barriers are not proven fewest; with -v also what
does not compile. Exit code 1 if a move saves barriers.
"""

import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import corpus
import kernel_instances
import trace_file
import tree

LOOP = re.compile(r"( *)for \w+ in T\.\w+\((.*?)\)[,:]?.*")
UNKNOWN_TRIPS = 16


def passes_to_merge(path):
    """The pipeline up to merge-shared-memory, as `opt --passes` takes it."""
    names = []
    for text in path.read_text(encoding="utf-8").splitlines():
        if not text.startswith('{"record":"passBegin"'):
            continue
        record = json.loads(text)
        names.append(record["name"] + ("{" + record["options"] + "}" if record.get("options") else ""))
        if record["name"] == "merge-shared-memory":
            return ",".join(names)
    return None


def trips_of(bounds):
    numbers = re.match(r"(-?\d+), (-?\d+)(,|$)", bounds)
    return max(int(numbers.group(2)) - int(numbers.group(1)), 0) if numbers else UNKNOWN_TRIPS


def passes_of_barriers(ir):
    """How often the barriers of a module are passed in all."""
    total, loops = 0, []  # (indentation, trips)
    for line in ir.splitlines():
        indentation = len(line) - len(line.lstrip())
        while loops and indentation <= loops[-1][0]:
            loops.pop()
        loop = LOOP.match(line)
        if loop:
            loops.append((indentation, trips_of(loop.group(2))))
        if line.strip().startswith("T.barrier("):
            runs = 1
            for _, trips in loops:
                runs *= trips
            total += runs
    return total


def live_together(one, other):
    return any(a.get("begin", 0) < b["end"] and b.get("begin", 0) < a["end"]
               for a in one.get("live", []) for b in other.get("live", []))


def versions_of(buffer):
    """(distance from its first byte, size) of each version."""
    count = buffer.get("versions", 1)
    size = buffer["sizeBytes"] // count
    return [(version * size, size) for version in range(count)]


def places(arena, moved):
    """Offsets to which a buffer of an arena could be moved alone."""
    buffers = [one for one in arena["problem"].get("buffers", []) if one.get("sizeBytes")]
    offsets = {one["id"]: one.get("offsetBytes", 0) for one in arena["plan"]["placements"]}
    alignment = moved.get("alignmentBytes", 1)
    highest = arena["plan"]["heightBytes"] - moved["sizeBytes"]
    wanted = {0, highest // alignment * alignment}
    for other in buffers:
        for begin, size in versions_of(other):
            for own, own_size in versions_of(moved):
                begin_byte = offsets[other["id"]] + begin
                wanted.add(-(-(begin_byte + size - own) // alignment) * alignment)
                wanted.add((begin_byte - own - own_size) // alignment * alignment)
    for offset in sorted(wanted - {offsets[moved["id"]]}):
        if 0 <= offset <= highest and not any(
                live_together(moved, other) and offset < offsets[other["id"]] + other["sizeBytes"] and
                offsets[other["id"]] < offset + moved["sizeBytes"]
                for other in buffers if other["id"] != moved["id"]):
            yield offset


class Instance:
    """A kernel as it was compiled, and its IR after merge-shared-memory."""

    def __init__(self, program, arguments, folder):
        self.program = program
        self.folder = pathlib.Path(folder)
        trace = self.folder / "k.trace"
        self.tell("compile", *arguments, "-o", os.devnull, "--trace", trace)
        self.trace = trace_file.TraceFile(trace)
        passes = passes_to_merge(trace)
        self.merged = self.tell("opt", *arguments, "--passes", passes, "--tagged") if passes else ""

    def tell(self, *arguments):
        done = subprocess.run([self.program, *arguments], cwd=tree.ROOT, capture_output=True, text=True, check=True)
        return done.stdout

    def barriers_of(self, ir):
        path = self.folder / "moved.ir"
        path.write_text(ir, encoding="utf-8")
        return passes_of_barriers(self.tell("opt", path, "--passes", "insert-barriers"))

    def with_buffer_at(self, buffer, offset):
        moved, count = re.subn(rf"offset=\d+(.*  #@ b{buffer['id']}\b)", rf"offset={offset}\1", self.merged)
        assert count == 1, buffer["name"]
        return moved

    def is_proven(self):
        return not any(remark["id"] == "BarriersWeighed" and "proven fewest" not in remark["text"]
                       for remark in self.trace.remarks.get("merge-shared-memory", []))

    def savings(self):
        """(moves tried, sentences about those that save barriers)."""
        tried, found = 0, []
        if not self.merged:
            return tried, found
        before = self.barriers_of(self.merged)
        if before == passes_of_barriers(self.merged):
            return tried, found  # sharing bytes costs nothing
        for arena in self.trace.arenas:
            for buffer in arena["problem"].get("buffers", []):
                if not buffer.get("sizeBytes"):
                    continue
                for offset in places(arena, buffer):
                    tried += 1
                    after = self.barriers_of(self.with_buffer_at(buffer, offset))
                    if after < before:
                        found.append(f"{buffer['name']} at {offset}: {after} instead of {before}")
        return tried, found


def attempt(program, label, arguments):
    with tempfile.TemporaryDirectory() as folder:
        try:
            instance = Instance(program, arguments, folder)
        except subprocess.CalledProcessError as error:
            return label, None, [corpus.first_error(error.stderr)], True
        tried, found = instance.savings()
        return label, tried, found, instance.is_proven()


def instances_of(options):
    if not options.examples:
        found, _ = kernel_instances.all_instances(options.kernels or kernel_instances.kernel_files())
        return [(one.label, one.arguments) for one in found if one.target == options.target]
    result = []
    with open(options.csv, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if options.only and not row["file"].startswith(tuple(options.only)):
                continue
            path = os.path.join(os.path.abspath(options.examples), row["file"])
            kernel = path + (":" + row["factory"] if row["factory"] else "")
            settings = corpus.settings(path, row["factory"], json.loads(row["args"]), json.loads(row["kwargs"]))
            label = f"{row['file']}:{row['factory']} " + " ".join(one for one in settings if one != "--set")
            result.append((label, [kernel, *settings, "--target", options.target]))
    return result


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tilescope")
    parser.add_argument("--target", default="sm_80")
    parser.add_argument("--examples")
    parser.add_argument("--csv", default="../shared/bench/corpus/examples.csv")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("kernels", nargs="*")
    options = parser.parse_intermixed_args()  # options stand between TILESCOPE and the kernels
    program = os.path.abspath(options.tilescope)
    instances = instances_of(options)
    moves = saving = refused = unproven = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for label, tried, found, is_proven in pool.map(lambda one: attempt(program, *one), instances):
            if tried is None:
                refused += 1
                if options.verbose:
                    print(f"does not compile: {label}: {found[0]}")
                continue
            moves += tried
            saving += bool(found)
            unproven += not is_proven
            for sentence in found:
                print(f"saves barriers: {label}: {sentence}")
            if not is_proven:
                print(f"not proven: {label}")
    print(f"{len(instances) - refused} instances, {moves} moves: {saving} instances where one saves barriers; "
          f"{unproven} where the fewest are not proven; {refused} do not compile")
    return 1 if saving else 0


if __name__ == "__main__":
    sys.exit(main())
