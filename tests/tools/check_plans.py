#!/usr/bin/env python3
"""What `check` says of TileLang's own plans of shared memory, over its examples: of each kernel one instance that has a
plan. Run by hand with the Python of .peer/, where TileLang is installed:

usage: check_plans.py TILESCOPE EXAMPLES --csv LIST [--target sm_90a] [--only PREFIX ...] [--out FOLDER] [--least N]

LIST has the columns of tests/tools/corpus.py. A line a plan, then how many have an answer. Traces that FOLDER holds already
are not recorded again, unless the recorder has changed; plan_faults.py makes faults in them. Exit code 1 where fewer than N
have an answer about hazards."""

import argparse
import collections
import contextlib
import csv
import functools
import io
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests" / "tools")]
import check_recorded_traces  # noqa: E402
from check_door import given_as_called, modules_of_its_own  # noqa: E402
from tilescope import kernel_files  # noqa: E402
from tilescope.door.kernels import gpu_of  # noqa: E402
from tilescope.recorder.compile_trace import write_trace  # noqa: E402
from tilescope.recorder.hold import Compile, held_compiles  # noqa: E402


def plans(examples, list_, target):
    """(name, kernel, arguments of a kernel that was loaded): of each kernel the first whose buffers share an offset."""
    seen = set()
    with open(list_, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            key, offsets = (row["file"], row["factory"]), row[f"{target}_offsets"].split()
            starts = [offset.rpartition("@")[2] for offset in offsets]
            path = examples / row["file"]
            if key in seen or len(set(starts)) == len(starts) or not row["factory"] or not path.exists():
                continue
            seen.add(key)
            arguments = functools.partial(given_as_called, json.loads(row["args"]), json.loads(row["kwargs"]))
            yield "-".join(key).replace("/", "_").replace(".py", ""), f"{path}:{row['factory']}", arguments


def record(kernel, arguments_of, target, path):
    """Why not, or ""."""
    try:
        with (contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()),
              modules_of_its_own(pathlib.Path(kernel).parent), gpu_of(target)):
            made, file = kernel_files.kernel_in_file(kernel)
            arguments = arguments_of(made)
            compile_ = Compile()
            with held_compiles(lambda: compile_):
                kernel_files.lower(made, arguments, kernel_files.target_of(target))
            write_trace(path, compile_, file, kernel_files.parameters_of(made, arguments), kernel_files.name_of(made),
                        [("recorder", check_recorded_traces.recorder_hash())])
    except (Exception, SystemExit) as error:
        return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[-1][:120]}"
    return ""


def is_recorded(path):
    if not path.exists():
        return False
    with open(path, encoding="utf-8") as file:
        return check_recorded_traces.recorder_hash() in file.readline()


def verdicts_of(tilescope, path):
    """{question: (verdict, reason)}"""
    run = subprocess.run([tilescope, "check", path], capture_output=True, text=True)
    answers = {}
    for line in (run.stdout + run.stderr).splitlines():
        for question in ("arena sound", "free of hazards"):
            if line.strip().startswith(question):
                verdict, _, reason = line.strip().removeprefix(question).strip(": ").partition(": ")
                answers[question] = verdict, reason
    if not answers:
        answers["arena sound"] = answers["free of hazards"] = "none", (run.stderr.strip().splitlines() or [""])[-1]
    return answers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("--csv", required=True)
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "plans")
    parser.add_argument("--least", type=int, default=0)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    counts = collections.defaultdict(collections.Counter)
    for name, kernel, arguments_of in plans(given.examples, given.csv, given.target):
        if given.only and not any(name.startswith(prefix) for prefix in given.only):
            continue
        path = given.out / f"{name}_{given.target}.trace"
        why = "" if is_recorded(path) else record(kernel, arguments_of, given.target, path)
        if why:
            print(f"{name}: not lowered here: {why}", flush=True)
            counts["lowered"]["no"] += 1
            continue
        verdicts = verdicts_of(given.tilescope, path)
        for question, (verdict, reason) in verdicts.items():
            counts[question][verdict] += 1
            print(f"{name}: {question}: {verdict}{': ' + reason if reason else ''}", flush=True)
    for question, verdicts in counts.items():
        print(f"{question}: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))
    hazards = counts["free of hazards"]
    return 1 if hazards["yes"] + hazards["no"] < given.least else 0


if __name__ == "__main__":
    sys.exit(main())
