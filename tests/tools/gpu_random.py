#!/usr/bin/env python3
"""Random kernels on this GPU, held against the reference of `tilescope run --check`.

usage: gpu_random.py TILESCOPE [--seed N] [--count N] [--jobs N]

The kernels are those of fuzz_random_kernels.py: what they compute is exact. Run by hand, where there is a GPU. A kernel
that is refused is counted, and one that writes nothing, or NaN alone; exit code 1 if one computes something else."""

import argparse
import collections
import concurrent.futures
import pathlib
import random
import subprocess
import sys
import tempfile

import random_kernels
from fuzz_random_kernels import ERROR, pass_options, without_names


def run_one(options, seed):
    """(verdict, text)"""
    kernel = random_kernels.random_kernel(seed, options.size)
    arguments = kernel.arguments() + pass_options(random.Random(seed))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / f"{seed}.py"
        path.write_text(kernel.text(), encoding="utf-8")
        done = subprocess.run([options.tilescope, "run", path, "--check", *arguments], capture_output=True, text=True)
    if done.returncode == 0:
        return "right", ""
    if done.returncode == 1 and "verdict not established" in done.stdout:
        return "not established", ""
    if done.returncode == 1:
        return "wrong", f"seed {seed}: {done.stdout.strip()[-400:]}"
    errors = ERROR.findall(done.stderr)
    return "refused", without_names(errors[0] if errors else done.stderr[-200:])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tilescope")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--size", type=int, default=6)
    parser.add_argument("--jobs", type=int, default=4)
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.count)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcomes = list(pool.map(lambda seed: run_one(options, seed), seeds))
    for text, count in collections.Counter(text for _, text in outcomes if text).most_common():
        print(f"{count:4} {text}")
    kinds = collections.Counter(kind for kind, _ in outcomes)
    print(f"{options.count} random kernels on the GPU: " + ", ".join(f"{count} {kind}" for kind, count in kinds.items()))
    return 1 if kinds["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
