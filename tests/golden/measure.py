#!/usr/bin/env python3
"""The golden kernels beside the vendor's library on this machine's GPU, in one process.

usage: measure.py FOLDER [--source gemm|attention] [--only NAME...] [--rounds 30] [--pause 0...]
       [--csv FILE]

FOLDER holds what build.py wrote. Each variant is first checked in a process of its own with a time limit: what it
writes against a float32 reference, at sizes around its ring and its grid. What passes is timed: a round is one of the
rival that is not counted, then rival, ours, ours, rival, each a graph of launches over buffers of more than twice the
L2; the share is the median over rounds of the rival's time over ours, with a bootstrap interval. The rival is timed as
a variant too: it must be within 0.5 % of itself. With a pause, in seconds, after each round the card is not at its
limit of power, and what the schedule gains shows. Needs a GPU and PyTorch; not part of the tests.
"""

import argparse
import concurrent.futures
import csv
import pathlib
import statistics
import subprocess
import sys
import time

import numpy
import torch

import problems
import variants

CHECK_SECONDS = 60
CACHE_BYTES = 2 * 60 << 20
GRAPH_SECONDS = 0.004
WARM_SECONDS = 3
LAUNCHES = 50  # of a check
LIMIT = 2e-3  # of the norm of the difference to that of the reference


def check_one(folder, name):
    """Prints what is wrong and fails, or prints the largest error."""
    variant = variants.ALL[name]
    problem_type = problems.OF_SOURCE[variant.source]
    worst = 0.0
    for shape in filter(lambda shape: problem_type.takes(variant, shape), problem_type.CHECKED):
        problem = problem_type(shape, 1)
        launch = problem.launcher(variant, folder / f"{name}.cubin")
        expected = problem.reference(0)
        for _ in range(LAUNCHES):
            problem.output(0).fill_(float("nan"))
            launch(0)
            torch.cuda.synchronize()
            error = ((problem.output(0).float() - expected).norm() / expected.norm()).item()
            if not error < LIMIT:
                sys.exit(f"{shape}: error {error:.2e}")
            worst = max(worst, error)
    print(f"{worst:.1e}")


def check(folder, name):
    command = [sys.executable, __file__, str(folder), "--check", name]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=CHECK_SECONDS)
    except subprocess.TimeoutExpired:
        return False, "hangs"
    words = (result.stdout + result.stderr).strip().splitlines()[-1:]
    return result.returncode == 0, " ".join(words)


def graph_of(launch, launches):
    launch(0)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for index in range(launches):
            launch(index)
    return graph


def timed(graph):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    graph.replay()
    end.record()
    return begin, end


def rounds_of(graphs, rival, count, pause):
    """By name, the pairs (rival's time, our time) of each round in milliseconds of a graph."""
    pairs = {name: [] for name in graphs}
    for _ in range(count):
        for name, graph in graphs.items():
            events = [timed(each) for each in (rival, rival, graph, graph, rival)]  # the first finds the card at rest
            torch.cuda.synchronize()
            time.sleep(pause)
            _, first, ours, again, last = [begin.elapsed_time(end) for begin, end in events]
            pairs[name].append(((first + last) / 2, (ours + again) / 2))
    return pairs


def interval(ratios):
    generator = numpy.random.default_rng(0)
    drawn = generator.choice(ratios, (2000, len(ratios)))
    return numpy.percentile(numpy.median(drawn, axis=1), [2.5, 97.5])


def problem_of(problem_type, shape):
    """With as many sets as the L2 does not hold, and how many launches are a graph."""
    problem = problem_type(shape, max(2, -(-CACHE_BYTES // problem_type.bytes_of(shape))))
    return problem, max(2, round(GRAPH_SECONDS / (problem.work / 650e12)))


def warm(graphs, seconds):
    end = time.time() + seconds
    while time.time() < end:
        for graph in graphs.values():
            graph.replay()
        torch.cuda.synchronize()


def measure(options, names, shape, pause, writer):
    problem_type = problems.OF_SOURCE[options.source]
    problem, launches = problem_of(problem_type, shape)
    launchers = {problem.RIVAL: problem.rival, **problem.rivals()}  # they own memory that the graphs use
    for name in filter(lambda name: problem_type.takes(variants.ALL[name], shape), names):
        launchers[name] = problem.launcher(variants.ALL[name], options.folder / f"{name}.cubin")
    graphs = {name: graph_of(launch, launches) for name, launch in launchers.items()}
    rival = graphs[problem.RIVAL]
    warm(graphs, 0 if pause else WARM_SECONDS)
    index = problem_type.TIMED.index(shape) // problem_type.FORMS
    print(f"\n{shape}: graphs of {launches} launches over {len(problem.sets)} sets, {options.rounds} rounds, "
          f"{pause} s pause", flush=True)
    print("variant        expected  TFLOP/s  rival  share of rival          what")
    for name, pairs in rounds_of(graphs, rival, options.rounds, pause).items():
        ratios = [theirs / ours for theirs, ours in pairs]
        low, high = interval(ratios)
        ours = problem.work * launches / statistics.median(pair[1] for pair in pairs) * 1e-9
        theirs = problem.work * launches / statistics.median(pair[0] for pair in pairs) * 1e-9
        variant = variants.ALL.get(name)
        expected = (variant.expected[index:] or ("",))[0] if variant else ""
        share = statistics.median(ratios)
        print(f"{name:14} {expected!s:>8} {ours:8.1f} {theirs:6.1f}  {share:.3f} [{low:.3f}, {high:.3f}]  "
              f"{variant.says if variant else 'the rival'}", flush=True)
        writer.writerow([options.source, "x".join(map(str, shape)), pause, name, expected, f"{ours:.1f}",
                         f"{theirs:.1f}", f"{share:.4f}", f"{low:.4f}", f"{high:.4f}"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--source", default="gemm")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--pause", type=float, nargs="+", default=[0])
    parser.add_argument("--csv", default="golden.csv")
    parser.add_argument("--check", help=argparse.SUPPRESS)
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    if options.check:
        return check_one(options.folder, options.check)
    names = [name for name, variant in variants.ALL.items()
             if variant.source == options.source and name in (options.only or variants.ALL)]
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, CUDA {torch.version.cuda}")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        verdicts = dict(zip(names, pool.map(lambda name: check(options.folder, name), names)))
    for name, (right, words) in verdicts.items():
        print(f"{name:14} {'right' if right else 'WRONG'}, {words}", flush=True)
    with open(options.csv, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["source", "shape", "pause", "variant", "expected", "tflops", "rival", "share", "low", "high"])
        for shape in problems.OF_SOURCE[options.source].TIMED:
            for pause in options.pause:
                measure(options, [name for name in names if verdicts[name][0]], shape, pause, writer)
                file.flush()


if __name__ == "__main__":
    main()
