#!/usr/bin/env python3
"""Breaks traces and shows them: nothing that a file says may crash a view, hang it, or fill the memory.

usage: fuzz_traces.py TILESCOPE [ROUNDS] [--seed N] [--jobs N] [--keep FOLDER] [--pictures]

Each round changes bytes of a trace, or numbers and names in its records, and runs every view of
core/views/models.def, `check` and `why` on it, with --pictures also `tilescope-view --screenshot`. A program may
succeed, find something or say what is wrong (exit codes 0 to 2); anything else, more than ten seconds or a gigabyte
is a finding, and the trace is kept in FOLDER. Exit code 1 if there are findings.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import threading

import tree

TIMEOUT_SECONDS = 10
MOST_KIBIBYTES = 1 << 20
NUMBERS = [0, 1, -1, 2, 7, 64, 65, 1000, 65536, 65537, 10**6, 10**9, 2**31 - 1, 2**31, -2**31, 2**32 - 2, 2**32 - 1,
           2**44 - 1, 2**44, 10**18, 2**63 - 1, -2**63, 2**64 - 1, 10**19, 0.5, 1e308, None]
TEXTS = ["", "?", "A_shared", "shared", "shared.dyn", "x" * 5000, "\x1b[31m", "\u202e\ud7ff", "\0", "-1", "%s", "[", "\n"]
KERNELS = [["gemm_relu.py:matmul", "--set", "M=256", "--set", "N=256", "--set", "K=256"],
           ["sized_at_launch.py:standardise", "--set", "block=256", "--set", "num_stages=2"]]
EXECUTED = ["gemm_relu.py:matmul", "--set", "M=128", "--set", "N=128", "--set", "K=96"]


def change_bytes(text, chance):
    data = bytearray(text)
    for _ in range(chance.choice([1, 1, 2, 5, 50])):
        at, size = chance.randrange(len(data)), chance.choice([1, 1, 1, 8, 200])
        kind = chance.choice(["replace", "delete", "repeat", "digit", "digit"])
        if kind == "replace":
            data[at:at + 1] = bytes([chance.randrange(256)])
        elif kind == "delete":
            del data[at:at + size]
        elif kind == "repeat":
            data[at:at] = data[at:at + size]
        else:
            digits = [i for i in range(at, min(at + 500, len(data))) if data[i:i + 1].isdigit()]
            for digit in digits[:chance.choice([1, 3])]:
                data[digit:digit + 1] = chance.choice([b"9", b"0", b"-", b"99999999", b"1e9"])
    return bytes(data)


def places(value, found):
    """Every (container, key) below a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
    for key, item in items:
        found.append((value, key))
        places(item, found)
    return found


def hostile(old, chance):
    if isinstance(old, list) and old and chance.random() < 0.5:
        return old * chance.choice([2, 100, 3000])
    if isinstance(old, (list, dict)) and chance.random() < 0.3:
        return {"children": old} if chance.random() < 0.5 else [old]
    if isinstance(old, str) and chance.random() < 0.7:
        return chance.choice(TEXTS)
    if isinstance(old, bool):
        return not old
    return chance.choice(NUMBERS)


def change_records(text, chance):
    lines = text.decode().splitlines()
    for _ in range(chance.choice([1, 1, 1, 2, 4, 10])):
        at = chance.randrange(len(lines))
        kind = chance.random()
        if kind < 0.05:
            lines.insert(at, lines[chance.randrange(1, len(lines))])
        elif kind < 0.08 and at != 0:
            del lines[at]
        else:
            record = json.loads(lines[at]) if lines[at].endswith("}") else {}  # torn: nothing to change in it
            found = [place for place in places(record, []) if place != (record, "record")]
            if found:
                container, key = chance.choice(found)
                container[key] = hostile(container[key], chance)
                lines[at] = json.dumps(record, separators=(",", ":"))
    return "\n".join(lines).encode(errors="replace") + b"\n"


def run_limited(command):
    """What is wrong with how a command ended, or None."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        timer = threading.Timer(TIMEOUT_SECONDS, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        late = not timer.is_alive()
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        if late:
            return f"no answer in {TIMEOUT_SECONDS} seconds"
        if usage.ru_maxrss > MOST_KIBIBYTES:
            return f"took {usage.ru_maxrss // 1024} MiB"
        if process.returncode in (0, 1, 2):
            return None
        errors.seek(0)
        lines = errors.read().decode(errors="replace").splitlines()
        telling = [line for line in lines if re.search(r"ERROR|Assertion|runtime error|terminate|what\(\)", line)]
        return f"exit code {process.returncode}: {' '.join((telling or lines)[:3])[:300]}"


def commands(options, trace):
    views = re.findall(r'^MODEL(?:_OF_\w+)?\("([\w-]+)"', tree.text("core/views/models.def"), re.MULTILINE)
    for view in views:
        extra = {"buffer": ["--buffer", "A_shared"], "search": ["--query", "A_shared"], "compare": ["--other", trace]}
        yield [options.tilescope, "show", view, trace, *extra.get(view, [])]
    yield [options.tilescope, "show", "steps", trace, "--step", "20"]
    yield [options.tilescope, "show", "arena", trace, "--format", "svg"]
    yield [options.tilescope, "check", trace]
    for words in (["A_shared"], ["A_shared", "B_shared"], ["--peak"]):
        yield [options.tilescope, "why", trace, *words]
    if options.pictures:
        yield [options.tilescope, "view", trace, trace, "--screenshot", trace + ".png"]


def run_round(options, seeds, number):
    chance = random.Random(options.seed * 1_000_003 + number)
    change = chance.choice([change_bytes, change_records, change_records])
    text = change(chance.choice(seeds), chance)
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "broken.trace")
        pathlib.Path(trace).write_bytes(text)
        problems = [(command, run_limited(command)) for command in commands(options, trace)]
    problems = [f"{' '.join(command[1:]).replace(trace, 'TRACE')}: {problem}" for command, problem in problems if problem]
    if not problems:
        return None
    kept = pathlib.Path(options.keep) / f"{options.seed}_{number}.trace"
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(text)
    return "\n  ".join([str(kept), *problems])


def all_seeds(tilescope):
    seeds = [(tree.ROOT / path).read_bytes() for path in tree.files(".trace") if path.startswith("testdata/")]
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "seed.trace"
        for kernel, *arguments in KERNELS:
            subprocess.run([tilescope, "compile", tree.ROOT / "testdata/kernels" / kernel, *arguments, "-o", os.devnull,
                            "--trace", trace], check=True)
            seeds.append(trace.read_bytes())
        kernel, *arguments = EXECUTED
        subprocess.run([tilescope, "exec", tree.ROOT / "testdata/kernels" / kernel, *arguments, "--trace", trace, "--steps", "0"],
                       check=True, stdout=subprocess.DEVNULL)
        seeds.append(trace.read_bytes())
    return seeds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("rounds", nargs="?", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", default="build/fuzz")
    parser.add_argument("--pictures", action="store_true")
    options = parser.parse_args()
    seeds = all_seeds(options.tilescope)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rounds = pool.map(lambda number: run_round(options, seeds, number), range(options.rounds))
        tree.finish("fuzz", [finding for finding in rounds if finding])


if __name__ == "__main__":
    main()
