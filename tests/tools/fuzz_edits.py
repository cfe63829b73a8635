#!/usr/bin/env python3
"""Single random edits of the IR text after one pass of small kernels, each run on the CPU after every pass.

usage: fuzz_edits.py TILESCOPE [--seed N] [--count N] [--jobs N] [--only NUMBER] [--witness]

An edit is one of an index, a slot, an order, a line that is left out, a narrowed type. It may be refused where it is
made (the text, the verifier, a check), or by a pass that cannot go on from there, or be found by `tilescope exec`, which
must name the pass that was edited. Another pass is a finding here, and so are a crash and no answer in time. Edits that
nothing notices are listed, with a reason where the kind of the edit tells one. With --witness each is judged: it means
the same where the emitted CUDA is the same text, or where it computes the same as the kernel as written on several seeds,
compiled for this CPU and run in both orders of threads and copies; all others are listed as not decided. Exit code 1 if
there are findings.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import functools
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import tempfile

import check_plants
import fuzz_pipeline
import plants
import text_edits
import tree

TIMEOUT_SECONDS = 60
WITNESS_SEEDS = (0, 1, 2)
NUMBER = re.compile(r"(?<![\w.\"(])\d+(?![\w.\"])")
SLOT = re.compile(r"\b\w+_shared\w*\[([^\[\],:]+), ")
STATEMENT = re.compile(r"^ +(T\.|for |if |\w+\[|\w+: T\.)")
NARROWED_NAME = ": T.int32 = "
NARROWER = [('"float32"', '"float16"'), ('"int32"', '"int8"'), ("T.float32(", "T.float16("), (NARROWED_NAME, "")]


@dataclasses.dataclass
class Outcome:
    kind: str  # "refused", "found", "late", "survived", "failed"
    text: str = ""
    edit: str = ""  # of which kind, of which lines


def body_of(lines):
    """Where statements begin: behind the line of the launch."""
    return text_edits.place_of(lines, "with T.Kernel(") + 1


def statements(lines):
    return [at for at in range(body_of(lines), len(lines)) if STATEMENT.match(lines[at])]


def with_line(lines, at, code):
    old = text_edits.code_of(lines[at])
    return [*lines[:at], code + lines[at][len(old):], *lines[at + 1:]]


def edit_number(chance, lines, matches_of):
    """Another number, near by, in one of the places that are given."""
    at = chance.choice([at for at in range(len(lines)) if matches_of(at)] or [None])
    if at is None:
        return None
    match = chance.choice(matches_of(at))
    value = int(match.group())
    code = text_edits.code_of(lines[at])
    other = chance.choice([value + 1, max(value - 1, 0) if value else 2, value * 2 if value else 1])
    return with_line(lines, at, code[:match.start()] + str(other) + code[match.end():])


def edit_index(chance, lines):
    in_body = set(statements(lines))
    return edit_number(chance, lines,
                       lambda at: list(NUMBER.finditer(text_edits.code_of(lines[at]))) if at in in_body else [])


def edit_slot(chance, lines):
    """The slot of a tile, or its offset in the arena."""
    found = [(at, match) for at in statements(lines) for match in SLOT.finditer(text_edits.code_of(lines[at]))]
    offsets = [(at, match) for at, line in enumerate(lines) for match in re.finditer(r"offset=(\d+)", line)]
    if not found + offsets:
        return None
    at, match = chance.choice(found + offsets)
    code = text_edits.code_of(lines[at])
    old = match.group(1)
    if match.group().startswith("offset"):
        new = str(max(int(old) + chance.choice([-1024, -128, -16, 16, 128, 1024]), 0))
    else:
        new = chance.choice([f"({old} + 1) % 2", "0", "1"])
    return with_line(lines, at, code[:match.start(1)] + new + code[match.end(1):])


def edit_order(chance, lines):
    """A statement and the next one of the same list."""
    pairs = [(at, text_edits.end_of(lines, at)) for at in statements(lines)]
    pairs = [(at, other) for at, other in pairs
             if other < len(lines) and text_edits.indent_of(lines[other]) == text_edits.indent_of(lines[at])]
    if not pairs:
        return None
    at, other = chance.choice(pairs)
    end = text_edits.end_of(lines, other)
    return lines[:at] + lines[other:end] + lines[at:other] + lines[end:]


def edit_dropped(chance, lines):
    """What others need to be read at all, names and last statements of bodies, are left."""
    leaves = [at for at in statements(lines) if not re.match(r" +(\w+: T\.|for |if )", lines[at])]
    at = chance.choice(leaves)
    is_alone = lines[at - 1].split("  #@")[0].endswith(":") and (
        at + 1 == len(lines) or text_edits.indent_of(lines[at + 1]) < text_edits.indent_of(lines[at]))
    if is_alone:
        at -= 1
    return lines[:at] + lines[text_edits.end_of(lines, at):]


def edit_type(chance, lines):
    found = [(at, old, new) for at, line in enumerate(lines) for old, new in NARROWER
             if old in text_edits.code_of(line) and "T.Tensor(" not in line]
    if not found:
        return None
    at, old, new = chance.choice(found)
    if old == NARROWED_NAME:
        name, value = text_edits.code_of(lines[at]).split(old)
        return with_line(lines, at, f"{name}{old}T.int32(T.int8({value}))")
    return with_line(lines, at, text_edits.code_of(lines[at]).replace(old, new, 1))


EDITS = {"index": edit_index, "slot": edit_slot, "order": edit_order, "dropped": edit_dropped, "type": edit_type}


def places():
    names = fuzz_pipeline.default_pipeline()
    return [name if names[:at].count(name) == 0 else f"{name}#{names[:at].count(name) + 1}"
            for at, name in enumerate(names)]


def random_edit(chance, tilescope):
    """(kernel, place, kind, lines before, lines after)"""
    while True:
        kernel, place = chance.choice(plants.KERNELS), chance.choice(places())
        before = check_plants.lines_after(tilescope, tuple(check_plants.arguments_of(kernel)), place)
        kind = chance.choice(list(EDITS))
        after = EDITS[kind](chance, before)
        if after and after != before:
            return kernel, place, kind, before, after


def outcome_of(done, place):
    errors = re.findall(r"error: (.*)", done.stderr)
    if done.returncode == 0:
        return Outcome("survived")
    if done.returncode == 1:
        report = json.loads(done.stdout)
        stage = report["stages"][-1]
        said = sorted({found["kind"] for found in stage["findings"]})
        said += ["value" if stage["differences"] else "not run"]
        kind = "found" if report["firstWrong"] == place else "late"
        return Outcome(kind, said[0] if kind == "found" else f"{said[0]} after {report['firstWrong']}")
    if done.returncode != 2 or not errors or "internal error" in done.stderr:
        return Outcome("failed", f"exit code {done.returncode}: {done.stderr[-300:]}")
    if ", patched:" in done.stderr.splitlines()[0]:
        return Outcome("refused", "by the reader")
    after = re.search(r"a check fails after pass '([^']+)'", done.stderr)
    if after and after.group(1) == check_plants.PATCH_PASS:
        return Outcome("refused", "by a check")
    return Outcome("late" if after else "refused", f"by a check after {after.group(1)}" if after else "by a later pass")


def reason_of(kind, patch):
    """Why an edit that nothing noticed means the same; "": not known."""
    edited = [text_edits.code_of(line) for line in check_plants.edited_lines(patch)]
    for pattern, reason in REASONS:
        if all(re.search(pattern, line) for line in edited):
            return reason
    return "order of independent statements" if kind == "order" else ""


# By what all edited lines hold.
REASONS = [
    (r"T\.(Pipelined|serial)\(.*(num_stages|versions|schedule|injected)=", "notes for later passes"),
]


# In place of clang++: CUDA that has been compiled once is not again. The arguments are those of core/witness.
CLANG_ONCE = """#!/bin/sh
kept={folder}/$(sha256sum < "$2" | cut -c1-64)
if [ -e "$kept" ]; then exec cp "$kept" "$4"; fi
{clang} "$@" && cp "$4" "$kept.$$" && mv "$kept.$$" "$kept"
"""


def witness_environment(folder):
    name = "clang++-19"
    clang = shutil.which(name) or shutil.which("clang++")
    path = pathlib.Path(folder) / name
    path.write_text(CLANG_ONCE.format(folder=folder, clang=clang))
    path.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


@functools.cache
def emitted(tilescope, arguments):
    return subprocess.run([tilescope, "compile", *arguments], capture_output=True, text=True, check=True).stdout


def judged(options, kernel, patch):
    """What the second witness says of an edit that the first did not notice."""
    arguments = tuple(check_plants.arguments_of(kernel))
    if emitted(options.tilescope, arguments) == emitted(options.tilescope, (*arguments, "--patch", str(patch))):
        return "same CUDA"
    for seed in WITNESS_SEEDS:
        command = [options.tilescope, "exec", *arguments, *shlex.split(kernel.run), "--patch", str(patch), "--witness",
                   "--seed", str(seed)]
        done = subprocess.run(command, capture_output=True, text=True, env=options.environment)
        if done.returncode != 0:
            said = (done.stdout + done.stderr).strip().splitlines()
            return f"not decided: seed {seed}, exit code {done.returncode}, {' / '.join(said[-3:])[:300]}"
    return "equal by the emitted CUDA"


def run_one(options, number):
    chance = random.Random(options.seed * 1_000_003 + number)
    kernel, place, kind, before, after = random_edit(chance, options.tilescope)
    patch = check_plants.patch_of(place, before, after)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "edit.patch"
        path.write_text(patch)
        command = check_plants.exec_command(options.tilescope, kernel, path)
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=TIMEOUT_SECONDS)
            outcome = outcome_of(done, place)
        except subprocess.TimeoutExpired:
            outcome = Outcome("failed", f"no answer in {TIMEOUT_SECONDS} seconds")
        if outcome.kind == "survived":
            outcome.text = judged(options, kernel, path) if options.witness else reason_of(kind, patch)
    lines = "\n".join("    " + text_edits.code_of(line) for line in patch.splitlines()[3:] if line[:1] in "+-")
    outcome.edit = f"edit {number}, {kind} of {kernel.file} after {place}\n{lines}"
    if options.only is not None:
        print(patch, shlex.join(map(str, command)), sep="\n")
    return outcome


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tilescope")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", type=int)
    parser.add_argument("--witness", action="store_true")
    options = parser.parse_args()
    options.tilescope = os.path.abspath(options.tilescope)
    numbers = range(options.count) if options.only is None else [options.only]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        options.environment = witness_environment(folder)
        outcomes = list(pool.map(lambda number: run_one(options, number), numbers))
    for outcome in outcomes:
        if outcome.kind == "survived":
            print(f"survived, {outcome.text or 'unexplained'}: {outcome.edit}")
    for (kind, text), count in collections.Counter((outcome.kind, outcome.text) for outcome in outcomes).most_common():
        print(f"{count:5} {kind}: {text or 'unexplained'}")
    tree.finish("edits", [f"{outcome.kind}, {outcome.text}: {outcome.edit}" for outcome in outcomes
                          if outcome.kind in ("late", "failed")])


if __name__ == "__main__":
    main()
