#!/usr/bin/env python3
"""The shared memory of every kernel instance of testdata/kernels, as a Markdown table.

sum     all buffers beside each other
greedy  the way TileLang places them: one interval a buffer, from the first to the last statement of the kernel's body
        that touches it (a loop is one statement), in order of birth; the smallest free gap, else on top
ours    the final plan; bound: what no plan can go below; proof: how the plan is known to be the least
ms      the pass merge-shared-memory in the compiling process (lifetimes known since insert-barriers)
Kernels without shared memory are left out.

Usage: plan_table.py TILESCOPE [--target sm_80] [KERNEL.py...]
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import kernel_instances
import trace_file
import tree

PROOFS = {"live-at-point": "live at a point", "exhausted": "search exhausted", "gap": "none"}


def units(program):
    """Buffer id -> [first, last + 1) of the statements of the body that touch it."""
    nodes, lives = program["nodes"], {}

    def touched(index):
        for access in nodes[index].get("accesses", []):
            yield access.get("buffer", 0)
        for child in nodes[index].get("children", []):
            yield from touched(child)
    for unit, child in enumerate(nodes[program.get("root", 0)].get("children", [])):
        for buffer in touched(child):
            begin, _ = lives.get(buffer, (unit, unit))
            lives[buffer] = (begin, unit + 1)
    return lives


def aligned(value, alignment):
    return -(-value // alignment) * alignment


def greedy_height(buffers, lives):
    placed, height = [], 0  # (end of life, begin byte, end byte)
    for buffer in sorted(buffers, key=lambda one: lives[one["id"]][0]):
        begin, end = lives[buffer["id"]]
        alignment = buffer.get("alignmentBytes", 1)
        size, gaps, floor = aligned(buffer["sizeBytes"], alignment), [], 0
        for low, high in sorted((low, high) for dies, low, high in placed if dies > begin) + [(height, height)]:
            start = aligned(floor, alignment)
            if low - start >= size:
                gaps.append((low - start, start))
            floor = max(floor, high)
        start = min(gaps)[1] if gaps else aligned(floor, alignment)
        placed.append((end, start, start + size))
        height = max(height, start + size)
    return height


def row(instance, trace):
    arena = trace.arenas[0]
    buffers = [one for one in arena["problem"].get("buffers", []) if one.get("sizeBytes")]
    program = next(one["program"] for one in trace.accesses if one["function"] == arena["function"])
    plan, lives = arena["plan"], units(program)
    height = plan.get("heightBytes", 0)
    greedy = greedy_height([one for one in buffers if one["id"] in lives], lives)
    kernel = " ".join(instance.arguments).replace("testdata/kernels/", "").replace("--set ", "").split(" --target")[0]
    figures = [sum(one["sizeBytes"] for one in buffers), greedy, height, plan["certificate"].get("boundBytes", 0)]
    cells = [kernel, len(buffers), *(f"{bytes:,}" for bytes in figures),
             PROOFS[plan["certificate"].get("kind", "gap")], f"{trace.micros('merge-shared-memory') / 1000:.2f}"]
    return "| " + " | ".join(map(str, cells)) + " |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("--target", default="sm_80")
    parser.add_argument("kernels", nargs="*")
    options = parser.parse_args()
    tilescope = pathlib.Path(options.tilescope).resolve()
    instances, _ = kernel_instances.all_instances(options.kernels or kernel_instances.kernel_files())
    print("| kernel | buffers | sum | greedy | ours | bound | proof | ms |\n|---|--:|--:|--:|--:|--:|---|--:|")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "k.trace"
        for instance in (one for one in instances if one.target == options.target):
            subprocess.run([tilescope, "compile", *instance.arguments, "-o", "/dev/null", "--trace", path],
                           cwd=tree.ROOT, check=True)
            trace = trace_file.TraceFile(path)
            if trace.arenas:
                print(row(instance, trace))


if __name__ == "__main__":
    sys.exit(main())
