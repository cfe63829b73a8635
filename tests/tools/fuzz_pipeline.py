#!/usr/bin/env python3
"""Runs passes in random orders over the kernels of testdata.

usage: fuzz_pipeline.py TILESCOPE [ROUNDS] [--seed N] [--jobs N]

An order may work, with every checker content after each pass (exit code 0), or say that a pass needs a
property that no pass before it established (2). Anything else is a finding: it is printed with the
shortest order that shows it. Exit code 1 if there are findings.
"""

import argparse
import concurrent.futures
import os
import random
import re
import subprocess

import kernel_instances
import tree

TIMEOUT_SECONDS = 20
# "has no schedule" is what inject-pipeline says of a loop that plan-pipeline has not seen.
PROPERTY = re.compile(r"pass '[^']+' needs function '[^']+' to be '[^']+'"
                      r"|pipelined loop over '[^']+' has no schedule; run plan-pipeline first")
ERROR = re.compile(r"error: (.*)")


def default_pipeline():
    """Names in the order of passes/pipeline.cpp."""
    return re.findall(r'^\s*"([a-z-]+)",$', tree.text("passes/pipeline.cpp"), re.MULTILINE)


def random_order(chance, pipeline):
    """The default pipeline with a few changes, or a random choice of passes."""
    if chance.random() < 0.2:
        return [chance.choice(pipeline) for _ in range(chance.randint(1, len(pipeline)))]
    order = list(pipeline)
    for _ in range(chance.randint(1, 4)):
        at, other = chance.randrange(len(order)), chance.randrange(len(order))
        kind = chance.choice(["drop", "repeat", "swap", "insert"])
        if kind == "drop" and len(order) > 1:
            del order[at]
        elif kind == "repeat":
            order.insert(at, order[at])
        elif kind == "swap":
            order[at], order[other] = order[other], order[at]
        else:
            order.insert(at, chance.choice(pipeline))
    return order


def problem_of(tilescope, arguments, order):
    """What is wrong with how the order ended, or None."""
    command = [tilescope, "opt", *arguments, "--passes", ",".join(order), "-o", os.devnull]
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIMEOUT_SECONDS, cwd=tree.ROOT, check=False)
    except subprocess.TimeoutExpired:
        return f"no answer in {TIMEOUT_SECONDS} seconds"
    text = done.stderr.decode(errors="replace")
    errors = ERROR.findall(text)
    is_refusal = done.returncode == 2 and errors and all(PROPERTY.match(error) for error in errors)
    if done.returncode == 0 or is_refusal:
        return None
    return f"exit code {done.returncode}: {errors[0] if errors else text[:300]}"


def shrink(tilescope, arguments, order, problem):
    """Drops passes for as long as the same problem remains."""
    at = 0
    while at < len(order):
        shorter = order[:at] + order[at + 1:]
        if problem_of(tilescope, arguments, shorter) == problem:
            order = shorter
        else:
            at += 1
    return order


def run_round(options, instances, pipeline, number):
    chance = random.Random(options.seed * 1_000_003 + number)
    arguments = chance.choice(instances).arguments
    order = random_order(chance, pipeline)
    problem = problem_of(options.tilescope, arguments, order)
    if not problem:
        return None
    order = shrink(options.tilescope, arguments, order, problem)
    return f"round {number}: {problem}\n  tilescope opt {' '.join(arguments)} --passes '{','.join(order)}'"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tilescope")
    parser.add_argument("rounds", type=int, nargs="?", default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    # Options of the other fuzzer mean nothing here.
    options, _ = parser.parse_known_args()
    options.tilescope = os.path.abspath(options.tilescope)
    instances, _ = kernel_instances.all_instances(kernel_instances.kernel_files())
    pipeline = default_pipeline()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rounds = pool.map(lambda number: run_round(options, instances, pipeline, number), range(options.rounds))
        findings = [finding for finding in rounds if finding]
    print(f"{options.rounds} orders of passes over {len(instances)} kernel instances")
    tree.finish("pipeline fuzzing", findings)


if __name__ == "__main__":
    main()
