#!/usr/bin/env python3
"""The shared memory of every kernel instance of testdata/kernels, as a Markdown table.

sum     all buffers beside each other
greedy  the way TileLang places them: one interval a buffer, from the first to the last statement of the kernel's body
        that touches it (a loop is one statement), in order of birth; the smallest free gap, else on top
ours    the final plan; bound: what no plan can go below; proof: how the plan is known to be the least
all     block barriers of the kernel; loop: the most that stand in one loop body
reuse   barriers that are there only because buffers share bytes; alone: had it been planned for height alone;
        each: with one barrier at each reuse, that is, for each two buffers of which one takes bytes that the other had
ms      the pass merge-shared-memory in the compiling process (lifetimes known since insert-barriers), best of three
Kernels without shared memory are left out.

Usage: plan_table.py TILESCOPE [--target sm_80] [KERNEL.py...]
"""

import argparse
import pathlib
import re
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


def barriers_in(nodes, index, in_loop=True):
    """Block barriers of a body; those of loops inside it are left out unless `in_loop`."""
    node = nodes[index]
    if node.get("kind") == "barrier":
        return int(node.get("scope") == "block")
    inner = [child for child in node.get("children", []) if in_loop or nodes[child].get("kind") != "loop"]
    return sum(barriers_in(nodes, child, in_loop) for child in inner)


def reuse_pairs(problem, plan):
    """Pairs (a, b) such that b gets bytes of a, with nobody between them."""
    lives = {one["id"]: one.get("live", []) for one in problem.get("buffers", [])}
    places = [(one.get("offsetBytes", 0), one.get("offsetBytes", 0) + one["sizeBytes"], one["id"])
              for one in plan["placements"] if one.get("sizeBytes")]
    pairs = set()
    for byte in {begin for begin, _, _ in places}:
        owners = [(life["begin"] if "begin" in life else 0, buffer) for begin, end, buffer in places
                  if begin <= byte < end for life in lives[buffer]]
        owners = [buffer for _, buffer in sorted(owners)]
        pairs |= {(a, b) for a, b in zip(owners, owners[1:]) if a != b}
    return len(pairs)


def barrier_figures(program, arena, trace):
    nodes = program["nodes"]
    loops = [barriers_in(nodes, one["children"][0], in_loop=False) for one in nodes if one.get("kind") == "loop"]
    weighed = [one["text"] for one in trace.remarks["merge-shared-memory"] if one["id"] == "BarriersWeighed"]
    reuse, alone = re.findall(r"\d+", weighed[0]) if weighed else (0, 0)
    return [barriers_in(nodes, program.get("root", 0)), max(loops, default=0), reuse, alone,
            reuse_pairs(arena["problem"], arena["plan"])]


def row(instance, trace, milliseconds):
    arena = trace.arenas[0]
    buffers = [one for one in arena["problem"].get("buffers", []) if one.get("sizeBytes")]
    program = next(one["program"] for one in trace.accesses if one["function"] == arena["function"])
    plan, lives = arena["plan"], units(program)
    height = plan.get("heightBytes", 0)
    greedy = greedy_height([one for one in buffers if one["id"] in lives], lives)
    kernel = " ".join(instance.arguments).replace("testdata/kernels/", "").replace("--set ", "").split(" --target")[0]
    figures = [sum(one["sizeBytes"] for one in buffers), greedy, height, plan["certificate"].get("boundBytes", 0)]
    cells = [kernel, len(buffers), *(f"{bytes:,}" for bytes in figures),
             PROOFS[plan["certificate"].get("kind", "gap")], *barrier_figures(program, arena, trace),
             f"{milliseconds:.2f}"]
    return "| " + " | ".join(map(str, cells)) + " |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("--target", default="sm_80")
    parser.add_argument("kernels", nargs="*")
    options = parser.parse_args()
    tilescope = pathlib.Path(options.tilescope).resolve()
    instances, _ = kernel_instances.all_instances(options.kernels or kernel_instances.kernel_files())
    print("| kernel | buffers | sum | greedy | ours | bound | proof | all | loop | reuse | alone | each | ms |\n"
          "|---|--:|--:|--:|--:|--:|---|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "k.trace"
        for instance in (one for one in instances if one.target == options.target):
            times = []
            for attempt in range(3):
                subprocess.run([tilescope, "compile", *instance.arguments, "-o", "/dev/null", "--trace", path],
                               cwd=tree.ROOT, check=True,
                               stderr=subprocess.DEVNULL if attempt else None)  # warnings once
                trace = trace_file.TraceFile(path)
                times.append(trace.micros("merge-shared-memory") / 1000)
            if trace.arenas:
                print(row(instance, trace, min(times)))


if __name__ == "__main__":
    sys.exit(main())
