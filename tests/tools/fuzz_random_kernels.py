#!/usr/bin/env python3
"""Compiles random kernels with random options, and runs each on the CPU after every pass.

usage: fuzz_random_kernels.py TILESCOPE [--seed N] [--count N] [--size N] [--jobs N] [--keep FOLDER]

What a kernel computes must be the same after every pass. A kernel may be refused: refusals are counted by
message. Anything else is a finding: a difference, a race, a check that fails after a pass, a crash, or no
answer in time. Its kernel is made smaller with `tilescope reduce` and kept in FOLDER as a test file.
Exit code 1 if there are findings.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import os
import pathlib
import random
import re
import shlex
import subprocess
import tempfile

import random_kernels
import tree

TIMEOUT_SECONDS = 60
REDUCE_SECONDS = 600
ERROR = re.compile(r"error: (.*)")
WRONG_STAGE = re.compile(r"^([^\s,]+)(?:, patched)? +(WRONG|not run)\b.*\n(?:  (.*)\n)?", re.MULTILINE)
# The kind of a finding, or that values differ.
MARK = re.compile(r"\[[a-z-]+\]$|, as written it is ")
# What only a pass that is wrong can bring about.
BROKEN = re.compile(r"a check fails after pass|internal error")


@dataclasses.dataclass
class Outcome:
    kind: str  # "fine", "refused", "finding"
    text: str = ""  # of refusals with numbers and names left out, so that equal ones are counted
    seed: int = 0  # of the kernel
    mark: str = ""  # what is printed again as long as the finding is the same one


def pass_options(chance):
    options = []
    if chance.random() < 0.4:
        options += ["--pass-option", "inject-pipeline.peel-epilogue=true"]
    if chance.random() < 0.3:
        options += ["--plan-for", "occupancy"]
    if chance.random() < 0.2:
        options += ["--pass-option", f"merge-shared-memory.search-nodes={chance.choice([1, 10])}"]
    return options


def without_names(text):
    text = re.sub(r"fragment\([^)]*\)", "fragment(...)", re.sub(r"'[^']*'", "'...'", text))
    return re.sub(r"-?\d+", "N", text)


def outcome_of(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=TIMEOUT_SECONDS,
                              check=False)
    except subprocess.TimeoutExpired:
        return Outcome("finding", f"no answer in {TIMEOUT_SECONDS} seconds")
    if done.returncode == 0:
        return Outcome("fine")
    errors = ERROR.findall(done.stderr)
    if done.returncode == 1:
        wrong = WRONG_STAGE.search(done.stdout)
        stage, verdict, text = wrong.groups("") if wrong else ("", "", " ".join(done.stdout[-200:].split()))
        if verdict == "not run":
            return Outcome("refused", f"not run after {stage}: {without_names(text)}")
        mark = MARK.search(text)
        return Outcome("finding", f"{stage}: {text}", mark=mark.group() if mark else "")
    if done.returncode == 2 and errors and not any(map(BROKEN.search, errors)):
        return Outcome("refused", without_names(errors[0]))
    text = errors[0] if errors else " ".join(done.stderr[-200:].split())
    # The longest part of the message that names nothing of the kernel.
    mark = max(re.split(r"'[^']*'|[\d,]+", text), key=len) if errors else ""
    return Outcome("finding", f"exit code {done.returncode}: {text}", mark=mark)


def test_text(name, kernel_text, arguments, outcome):
    """As a text test of tests/exec that fails for as long as the fault is there."""
    code = kernel_text[kernel_text.index("import tilelang"):]
    return (f"# RUN: tilescope exec %s --every-pass {shlex.join(arguments)}\n# ./dev lit tests/exec/{name}\n\n"
            f"# Was wrong: {outcome.text}\n{code}")


def reduced(options, path, arguments, outcome):
    """The smallest kernel with such a finding; the file as it is if that takes too long."""
    smaller = path.with_suffix(".reduced.py")
    tilescope = shlex.quote(options.tilescope)
    keep = f"timeout {TIMEOUT_SECONDS} {tilescope} exec {{}} --every-pass {shlex.join(arguments)}"
    if outcome.mark:
        keep += f" 2>&1 | grep -qF {shlex.quote(outcome.mark)}"
    try:
        subprocess.run([options.tilescope, "reduce", str(path), "--keep", keep, "-o", str(smaller)],
                       capture_output=True, timeout=REDUCE_SECONDS, check=False)
        return smaller.read_text()
    except (subprocess.TimeoutExpired, FileNotFoundError):
        return path.read_text()
    finally:
        smaller.unlink(missing_ok=True)


def run_one(options, number):
    seed = options.seed * 1_000_003 + number
    kernel = random_kernels.random_kernel(seed, options.size)
    arguments = kernel.arguments() + pass_options(random.Random(seed))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / f"{seed}.py"
        path.write_text(kernel.text())
        outcome = outcome_of([options.tilescope, "exec", str(path), "--every-pass", *arguments])
        outcome.seed = seed
        if outcome.kind == "finding":
            kept = pathlib.Path(options.keep) / f"random_{seed}.py"
            kept.parent.mkdir(parents=True, exist_ok=True)
            smaller = reduced(options, path, arguments, outcome)
            kept.write_text(test_text(kept.name, smaller, arguments, outcome))
            outcome.text = f"{kept}: {outcome.text}"
    return outcome


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tilescope")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--size", type=int, default=6)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", default="build/fuzz")
    options = parser.parse_args()
    options.tilescope = os.path.abspath(options.tilescope)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcomes = list(pool.map(lambda number: run_one(options, number), range(options.count)))
    refusals = collections.Counter(outcome.text for outcome in outcomes if outcome.kind == "refused")
    for text, count in refusals.most_common():
        seed = next(outcome.seed for outcome in outcomes if outcome.text == text)
        print(f"{count:5} refused, as seed {seed}: {text}")
    kinds = collections.Counter(outcome.kind for outcome in outcomes)
    print(f"{options.count} kernels: {kinds['fine']} fine, {kinds['refused']} refused, {kinds['finding']} wrong")
    tree.finish("random kernels", [outcome.text for outcome in outcomes if outcome.kind == "finding"])


if __name__ == "__main__":
    main()
