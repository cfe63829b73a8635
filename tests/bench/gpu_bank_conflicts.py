#!/usr/bin/env python3
"""Conflicts of banks as `tilescope show costs` counts them, beside what the profiler counts on this machine's GPU.

usage: gpu_bank_conflicts.py TILESCOPE [--target sm_90a]

Of each kernel of bank_conflicts.py a line per kind of access: passes of a warp and the fewest possible, ours; and of the SASS
instructions, by Nsight Compute's source page, "L1 Wavefronts Shared" and its "Ideal" over "Instructions Executed". Needs a
GPU and ncu; not part of the tests. Exit code 1 where they differ."""

import argparse
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

KERNELS = pathlib.Path(__file__).with_name("bank_conflicts.py")
# The first has no conflicts: what the metrics mean is seen on it.
NAMES = ("free", "two_way", "four_way", "eight_way", "all_ways", "broadcast", "words_of_64_bits", "words_of_128_bits", "rows",
         "padded", "swizzled", "transposed")


def output_of(*command):
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def ours(tilescope, name, target):
    """{(operation, bytes of a lane, passes, fewest)}"""
    costs = json.loads(output_of(tilescope, "show", "costs", f"{KERNELS}:{name}", "--target", target, "--format", "json"))
    return {("Store" if access.get("isWrite") else "Load", access["laneBytes"], access["passes"], access["leastPasses"])
            for row in costs["rows"] for access in row.get("accesses", [])}


def of_profiler(tilescope, name, target, folder):
    report = folder / f"{name}.ncu-rep"
    output_of("ncu", "--clock-control", "none", "--section", "SourceCounters", "-o", report, tilescope, "run", f"{KERNELS}:{name}",
              "--target", target)
    text = output_of("ncu", "-i", report, "--page", "source", "--csv")
    lines = text[text.index('"Address"'):]
    found = set()
    for row in csv.DictReader(io.StringIO(lines)):
        if row["Address Space"] == "Shared":
            executed, passes, least = (int(row[key]) for key in ("Instructions Executed", "L1 Wavefronts Shared", "L1 Wavefronts Shared Ideal"))
            found.add((row["Access Operation"], int(row["Access Size"]) // 8, passes / executed, least / executed))
    return found


def words(accesses):
    return "; ".join(f"{operation.lower()} of {size} bytes {passes:g} of {least:g}" for operation, size, passes, least in sorted(accesses))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("--target", default="sm_90a")
    given = parser.parse_args()
    differ = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in NAMES:
            shown, counted = ours(given.tilescope, name, given.target), of_profiler(given.tilescope, name, given.target, pathlib.Path(folder))
            differ += shown != counted
            print(f"{name}: {words(counted)}" + (f"  DIFFERS: shown {words(shown)}" if shown != counted else ""), flush=True)
    print(f"{len(NAMES)} kernels, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
