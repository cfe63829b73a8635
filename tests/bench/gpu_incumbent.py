#!/usr/bin/env python3
"""Kernels of TileLang's examples on this machine's Hopper GPU, ours in turns with what TileLang itself makes of them.

usage: gpu_incumbent.py TILESCOPE EXAMPLES [--only NAME,NAME] [--also NAME=OPTION,OPTION] [--rounds 30] [--pause 0.03]
       [--work FOLDER]

EXAMPLES is the folder `examples/` of a checkout of TileLang outside this tree; its files are taken as they are. A contest
is a kernel at one size over a grid of the arguments that its file leaves open. Ours is compiled at each point with each set
of options of passes, theirs at each point as its file asks for; each that computes what theirs does is timed alone, and then
the best of both take turns, as in gpu_ladder.py. A share above one: ours is faster. What is compiled, checked and timed has
a process of its own each, with a limit. Needs a GPU, PyTorch and TileLang; not part of the tests.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("python", "tests/golden", "tests/tools", "tests/bench")]
import build  # noqa: E402
from incumbent_contests import CONTESTS, label_of, words_of  # noqa: E402
from incumbent_problem import THEIRS, Problem, compiled_by_them, rung_and_point, theirs_of  # noqa: E402

COMPILE_SECONDS, CONTEST_SECONDS = 200, 100
GRAPH_MILLISECONDS, MOST_LAUNCHES = 4, 400


@dataclasses.dataclass
class Entry:
    """What is checked and timed. `library` is a file for ours, and for theirs what their CUDA is called, without its ending."""
    rung: str
    point: int
    library: pathlib.Path
    says: str = ""  # of ptxas
    trouble: str = ""


# ---- Compiling


def last_line(text):
    return (text.strip().splitlines() or ["no output"])[-1][:300]


def ended(command, seconds):
    """(whether it ended well, output)"""
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return False, f"no answer in {seconds} s"
    return ran.returncode == 0, ran.stdout + ran.stderr


def emitted(options, contest, point, rung):
    """CUDA and what a launch takes."""
    one = Entry(rung, point, options.work / f"{contest.name}@{rung}@{point}.so")
    source, trace = one.library.with_suffix(".cu"), one.library.with_suffix(".trace")
    words = [part for word in words_of(contest, point) for part in ("--set", word)]
    words += [part for option in contest.rungs[rung] for part in ("--pass-option", option)]
    is_made, output = ended([options.tilescope, "compile", f"{options.examples}/{contest.kernel}", *words, "--target", "sm_90a",
                             "-o", source, "--trace", trace], COMPILE_SECONDS)
    if not is_made:
        one.trouble = next((line for line in output.splitlines() if "error:" in line), last_line(output))
        return one
    with open(trace, encoding="utf-8") as file:
        record = next(line for line in file if line.startswith('{"record":"launches"'))
    one.library.with_suffix(".json").write_text(record)
    trace.unlink()
    return one


def built(one):
    source = one.library.with_suffix(".cu")
    with open(source) as file:  # the first line says how it is to be compiled
        fast = ["--use_fast_math"] * ("--use_fast_math" in file.readline())
    is_made, output = ended([build.find_nvcc(), "-std=c++17", "-gencode", "arch=compute_90a,code=sm_90a", "-shared", "-Xcompiler",
                             "-fPIC", "-Xptxas", "-v", *fast, source, "-o", one.library], COMPILE_SECONDS)
    one.trouble = "" if is_made else last_line(output)
    spilled = sum(int(match[2]) for match in build.SPILLS.finditer(output))
    said = re.findall(r"Used (\d+) registers", output) + [f"spills {spilled} bytes"] * (spilled > 0)
    one.says = " ".join(said + sorted(set(re.findall(r"C75\d\d", output))))
    return one


def built_by_them(options, contest, point):
    """Fills their cache, from which the other processes take it."""
    one = Entry(THEIRS, point, theirs_of(options, contest, point))
    is_made, output = ended([sys.executable, *sys.argv, "--compile", contest.name, str(point)], COMPILE_SECONDS)
    one.trouble = "" if is_made else last_line(output)
    return one


def compiled(options, contests):
    """By contest's name, what could be compiled; prints what could not."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        every = [(contest, point) for contest in contests for point in range(len(contest.points))]
        ours = [(contest, pool.submit(emitted, options, contest, point, rung)) for contest, point in every
                for rung in contest.rungs]
        theirs = [(contest, pool.submit(built_by_them, options, contest, point)) for contest, point in every]
        made, seen = collections.defaultdict(list), set()
        for contest, job in ours:
            one = job.result()
            text = one.trouble or one.library.with_suffix(".cu").read_text()
            if (contest.name, one.point, text) not in seen:  # some options change nothing
                made[contest.name].append(one if one.trouble else pool.submit(built, one))
            seen.add((contest.name, one.point, text))
        for contest, job in theirs:
            made[contest.name].append(job)
        groups = {name: [one if isinstance(one, Entry) else one.result() for one in group] for name, group in made.items()}
    for contest in contests:
        for one in filter(lambda one: one.trouble, groups[contest.name]):
            print(f"{contest.name} {one.rung} {label_of(contest, one.point)}: {one.trouble}", flush=True)
    return {name: [one for one in group if not one.trouble] for name, group in groups.items()}


def compile_theirs(options, contest, point):
    _, kernel = compiled_by_them(options, contest, point)
    theirs_of(options, contest, point).with_suffix(".cu").write_text(kernel.get_kernel_source())


# ---- Checking


def check_all(options, contest, libraries):
    """Prints a line of each: its error against the first of theirs."""
    import torch

    problem = Problem(options, contest, 1)

    def results_of(library):
        problem.begin()
        results = [result.float().flatten() for result in problem.launcher(library)(0)]
        torch.cuda.synchronize()
        return results

    reference = sorted(options.work.glob(f"{contest.name}@{THEIRS}@*.cu"))[0].with_suffix("")
    expected = [result.clone() for result in results_of(reference)]
    print("ready", flush=True)
    for library in libraries:
        error = max(((one - other).norm() / other.norm()).item() for one, other in zip(results_of(library), expected))
        is_right = math.isfinite(error) and error < contest.limit
        print(f"{'right' if is_right else 'WRONG'} {error:.1e}", flush=True)


def checked(contest, group):
    """What is right of it; prints what came of each."""
    import gpu_ladder

    theirs = [one for one in group if one.rung == THEIRS]
    if not theirs or len(theirs) == len(group):
        print(f"{contest.name}: only {len(theirs)} of theirs and {len(group) - len(theirs)} of ours were compiled", flush=True)
        return []
    verdicts = gpu_ladder.check(contest, group)
    for one in group:
        notes = f" ({one.says})" if one.says else ""
        print(f"{contest.name} {one.rung} {label_of(contest, one.point)}: {verdicts[one.library]}{notes}", flush=True)
    return [one for one in group if verdicts[one.library].startswith("right")]


# ---- Timing


def timed(problem, launch):
    """Milliseconds of a launch, alone, and a graph of how many launches."""
    import gpu_ladder
    import measure

    taken = gpu_ladder.coarse(measure.graph_of(launch, len(problem.sets))) / len(problem.sets)
    launches = min(max(len(problem.sets), round(GRAPH_MILLISECONDS / taken)), MOST_LAUNCHES)
    graph = measure.graph_of(launch, launches)
    return gpu_ladder.coarse(graph) / launches, graph, launches


def turns(options, theirs, ours):
    """The share with its interval, and the medians of both in microseconds, without pauses and with them."""
    import measure

    measure.warm({"theirs": theirs.graph, "ours": ours.graph}, measure.WARM_SECONDS)
    cells = []
    for pause in (0, options.pause):
        pairs = measure.rounds_of({"ours": ours.graph}, theirs.graph, options.rounds, pause)["ours"]
        pairs = [(rival / theirs.launches, own / ours.launches) for rival, own in pairs]
        ratios = [rival / own for rival, own in pairs]
        low, high = measure.interval(ratios)
        rival, own = (statistics.median(side) * 1000 for side in zip(*pairs))
        cells.append(f"{statistics.median(ratios):.3f} [{low:.3f}, {high:.3f}] {own:.2f} us against {rival:.2f}")
    return "; with pauses ".join(cells)


@dataclasses.dataclass
class Timed:
    taken: float
    graph: object
    launches: int
    label: str
    launch: object  # owns memory that the graph uses


def compete(options, contest, libraries):
    """Prints what each takes alone, then the best of ours in turns with the best of theirs."""
    problem, best = Problem(options, contest), {}
    print(f"\n{contest.name}: {len(problem.sets)} sets", flush=True)
    for library in libraries:
        rung, point = rung_and_point(library)
        launch = problem.launcher(library)
        one = Timed(*timed(problem, launch), f"{rung} {label_of(contest, point)}", launch)
        print(f"  {one.taken * 1000:9.2f} us alone  {one.label}", flush=True)
        side = THEIRS if rung == THEIRS else "ours"
        best[side] = min([one, *filter(None, [best.get(side)])], key=lambda each: each.taken)
    if len(best) < 2:
        sys.exit(f"{contest.name}: only {' and '.join(best)} is right")
    theirs, ours = best[THEIRS], best["ours"]
    print(f"share {contest.name}: {turns(options, theirs, ours)}; ours {ours.label}, theirs {theirs.label}", flush=True)


def in_process(contest, group):
    """Whether it was timed. Its lines come as they are made."""
    command = [sys.executable, *sys.argv, "--time", contest.name, *(one.library for one in group)]
    try:
        return subprocess.run(command, timeout=CONTEST_SECONDS).returncode == 0
    except subprocess.TimeoutExpired:
        print(f"{contest.name}: no answer in {CONTEST_SECONDS} s", flush=True)
        return False


# ---- The whole


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tilescope")
    parser.add_argument("examples")
    parser.add_argument("--only", type=lambda text: text.split(","), help=f"of {', '.join(one.name for one in CONTESTS)}")
    parser.add_argument("--also", type=lambda text: text.split("=", 1), action="append", default=[],
                        help="one more set of options of passes, for every contest")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--pause", type=float, default=0.03)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "gpu_incumbent",
                        help="where sources and libraries are kept")
    for stage in ("compile", "check", "time"):
        parser.add_argument(f"--{stage}", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if unknown := set(options.only or []) - {one.name for one in CONTESTS}:
        parser.error(f"--only: there is no {', '.join(sorted(unknown))}")
    options.work = options.work.resolve()
    return options


def contests_of(options):
    also = {name: tuple(words.split(",")) for name, words in options.also}
    return [dataclasses.replace(contest, rungs=contest.rungs | also) for contest in CONTESTS
            if not options.only or contest.name in options.only]


def in_one_process(options, contests):
    """What a process that was started for it does of one contest."""
    stage = next(name for name in ("compile", "check", "time") if getattr(options, name))
    name, *words = getattr(options, stage)
    contest = next(one for one in contests if one.name == name)
    if stage == "compile":
        return compile_theirs(options, contest, int(words[0]))
    return {"check": check_all, "time": compete}[stage](options, contest, [pathlib.Path(word) for word in words])


def main():
    options = parse()
    contests = contests_of(options)
    if options.compile or options.check or options.time:
        return in_one_process(options, contests)
    import torch

    began = time.monotonic()
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, CUDA {torch.version.cuda}", flush=True)
    options.work.mkdir(parents=True, exist_ok=True)
    for old in options.work.glob("*@*"):
        old.unlink()
    groups = compiled(options, contests)
    print(f"compiled after {time.monotonic() - began:.0f} s", flush=True)
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        right = list(pool.map(lambda contest: checked(contest, groups[contest.name]), contests))
    print(f"checked after {time.monotonic() - began:.0f} s", flush=True)
    untimed = [contest.name for contest, group in zip(contests, right) if not group or not in_process(contest, group)]
    print(f"timed after {time.monotonic() - began:.0f} s")
    if untimed:
        sys.exit(f"without a share: {', '.join(untimed)}")


if __name__ == "__main__":
    main()
