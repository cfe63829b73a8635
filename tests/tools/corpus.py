#!/usr/bin/env python3
"""Puts real kernels, from a checkout of TileLang's examples, through our stages, and compares shared bytes.

usage: corpus.py TILESCOPE EXAMPLES [--csv FILE] [--only PREFIX ...] [--first] [--target sm_80] [--nvcc] [--exec] [--run] [--bench] [--cpu]
                 [--peer PYTHON] [--gpus N] [--python-path DIR ...] [--at-least STAGE=PERCENT ...] [--page FILE] [--table FILE] [-v]

EXAMPLES is the folder `examples/` of a checkout outside this tree; the instances and the incumbent's bytes come from a CSV
(corpus_rows.py; --first takes the first of each kernel). Each is read and compiled; with --nvcc also built, with --exec run on the CPU after every pass, four
blocks of it, with --run run on the GPU and compared with the reference: both on inputs that make sense for the kernel
(corpus_inputs.py), at a size that is made smaller where the kernel takes that. --cpu times the compiles, without a trace.
--bench times it on the GPU as it is, on each of --gpus one kernel at a time, and with --peer, a Python that has TileLang, what TileLang makes of it for that GPU (corpus_peer.py). Kernels
that import files which stand elsewhere than theirs find them in --python-path. --page writes what came of it as Markdown,
--table as CSV, a line an instance; what is known of a failure (corpus_findings.py) stands beside it.

Exit code 1 if an instance fails, or takes more shared memory than the incumbent; with --at-least, only if fewer than that
share pass a stage (elaborate, compile, nvcc, exec, run; lowered: compiles of those that the incumbent lowers; ours: compiles of
those that are not for other GPUs), or if `exec` finds a wrong one that nobody has explained.
"""
import argparse
import concurrent.futures
import contextlib
import os
import statistics
import sys

import corpus_page
import corpus_rows
import corpus_stages


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("examples")
    parser.add_argument("--csv", default="../shared/bench/corpus/examples.csv")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--target", default="sm_80")
    for stage in ("nvcc", "exec", "run", "bench"):
        parser.add_argument(f"--{stage}", action="store_true")
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--peer", default="", metavar="PYTHON")
    parser.add_argument("--gpus", type=int, default=1)
    parser.add_argument("--python-path", nargs="*", default=[], metavar="DIR")
    parser.add_argument("--seconds", type=int, default=600, help="for one run on small inputs")
    parser.add_argument("--at-least", nargs="*", default=[], metavar="STAGE=PERCENT")
    parser.add_argument("--page")
    parser.add_argument("--table")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    options.least = {}
    for word in options.at_least:
        name, _, percent = word.partition("=")
        if name not in (*corpus_stages.STAGES, *corpus_page.NAMES) or not percent.removesuffix("%").replace(".", "").isdigit():
            parser.error(f"--at-least wants STAGE=PERCENT, not '{word}'")
        options.least[name] = float(percent.removesuffix("%"))
    return options


def show(result, verbose):
    row, stage = result.row, result.failed()
    bytes_ = f"{corpus_page.words(result.bytes)} bytes (incumbent {corpus_page.words(row.theirs) or 'unknown'})"
    if stage:
        known = "".join(f"  [{word}]" for word in result.explanation()[:1] if word)
        print(f"FAIL   {row.name}  {stage}: {result.stages[stage]}{known}{'' if row.is_lowered else '  (nor does the incumbent)'}")
        if verbose:
            print("       " + " ".join(result.command))
        return
    notes = [f"spills {result.spilled}" if result.spilled else ""]
    print(f"{'LARGER' if result.is_larger() else 'ok    '} {row.name}  {' '.join([bytes_, *filter(None, notes)])}")


def show_times(result):
    ours, theirs = (f"{time} ms" if time else "not timed" for time in (result.milliseconds, result.their_milliseconds))
    print(f"{result.row.name}  {ours} (incumbent {theirs})", flush=True)


def shown(results, show_one):
    """As they come."""
    made = []
    for result in results:
        show_one(result)
        made.append(result)
    return made


def falls_short(shares, least):
    short = []
    for name, percent in least.items():
        passed, asked = shares.get(name, (0, 0))
        if asked == 0 or 100 * passed < percent * asked:
            short.append(f"{name}: {passed} of {asked}, less than {percent:g} %")
    return short


def main():
    options = parse()
    rows = corpus_rows.read(options.csv, options.examples, options.target, options.only)
    if options.first:
        rows = list({row.name: row for row in rows[::-1]}.values())[::-1]
    stages = corpus_stages.Stages(options)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = shown(pool.map(stages.put_through, rows), lambda result: show(result, options.verbose))
        if options.bench:
            with contextlib.suppress(KeyboardInterrupt):  # the page has what was timed until then
                shown(pool.map(stages.time, [result for result in results if result.stages.get("compile") == ""]), show_times)
            pool.shutdown(cancel_futures=True)
    shares, larger = corpus_page.shares(results), sum(result.is_larger() for result in results)
    for name, (passed, asked) in shares.items():
        print(f"{corpus_page.NAMES.get(name, name)}: {passed} of {asked}")
    compiles = [result.compile_milliseconds for result in results if result.stages.get("compile") == ""]
    if options.cpu and compiles:
        print(f"CPU of a compile: {statistics.median(compiles):.1f} ms in the median, {max(compiles):.0f} ms at most")
    wrong = sum(result.is_wrong and not result.explanation()[0] for result in results)
    print(f"{larger} take more shared bytes than the incumbent; {wrong} are wrong after some pass, and nobody has explained it")
    flags = [f"--target {options.target}"] if options.target != "sm_80" else []
    flags += [f"--{name}" for name in ("first", "nvcc", "exec", "run", "bench") if getattr(options, name)]
    flags += ["--peer PYTHON"] if options.peer else []
    if options.page:
        flags.append(f"--page {options.page}")
        with open(options.page, "w", encoding="utf-8") as file:
            file.write(corpus_page.markdown(results, options, flags))
    if options.table:
        corpus_page.write_csv(results, options.table)
    short = falls_short(shares, options.least)
    for line in short:
        print(line)
    if options.least:
        return 1 if short or wrong else 0
    return 1 if larger or wrong or any(result.failed() for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
