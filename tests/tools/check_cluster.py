#!/usr/bin/env python3
"""The recipe for Slurm in `tilescope sweep --help`, on a Slurm of this machine: an array of 8 shards of 2,000 points, of which
one is killed on its way and queued again. What `merge` makes of them is byte for byte the table of one sweep.

  check_cluster.py PROGRAM [--folder build/cluster] [--root FOLDER] [--gpus N]

With --gpus the array has a task for each of the first N GPUs, and each times its points (`sweep --bench`): their rows are those
of one sweep on one GPU but for times, and points a minute are printed of both. --root is where the packages of Slurm and munge
are unpacked, of a machine that has them not."""

import argparse
import csv
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

from cluster_node import ClusterNode

TREE = pathlib.Path(__file__).resolve().parents[2]
KERNEL = TREE / "testdata/kernels/gemm_relu.py"
GRID = ("--set M=1024 --set N=1024 --set K=1024 --set block_M=32..128*2,192,256 --set block_N=32..128*2,192,256 "
        "--set block_K=16,32,64,128 --set num_stages=0..4 --target sm_80,sm_89,sm_90a,sm_100")
POINTS = 2000
# Of one target and problem, long enough for the start of a job not to count.
TIMED_GRID = ("--set M=2048 --set N=2048 --set K=2048 --set block_M=32,64,128 --set block_N=32,64,128 "
              "--set block_K=16,32,64 --set num_stages=0..4")
TIMED_POINTS = 135
# Differ from run to run.
OF_TIMES = ("medianNs", "pareto")
# What a failing node ends a task with here.
REQUEUE = 75
VICTIM = "3"
# The program under its name: the victim's first run is killed when its file has some points.
WRAPPER = """\
#!/bin/bash
[ "$SLURM_ARRAY_TASK_ID" != {victim} ] && exec {program} "$@"
echo "run, ${{SLURM_RESTART_COUNT:-0}} before: $(cat part-{victim}.sweep 2>/dev/null | wc -l) lines" >> victim
[ -n "$SLURM_RESTART_COUNT" ] && exec {program} "$@"
{program} "$@" &
until [ "$(cat part-{victim}.sweep 2>/dev/null | wc -l)" -gt 20 ]; do sleep 0.05; done
kill -KILL $!
exit {requeue}
"""


# Says which GPU a task was given.
GPU_WRAPPER = """\
#!/bin/bash
echo "$CUDA_VISIBLE_DEVICES" >> gpus
exec {program} "$@"
"""


def recipe(program: pathlib.Path, grid: str, gpus: int) -> tuple[str, str]:
    """The two commands of the help, submit and merge, for our kernel and a grid; with GPUs as it says of --bench."""
    told = subprocess.run([program, "sweep", "--help"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"^  sbatch .*?(?=^  tilescope merge)", told, re.MULTILINE | re.DOTALL)
    merge = re.search(r"^  (tilescope merge part-.*)$", told, re.MULTILINE)
    if not found or not merge:
        sys.exit("sweep --help has no recipe of sbatch and merge")
    submit, kernels = re.subn(r"gemm\.py:matmul", f"{KERNEL}:matmul", found[0])
    submit, grids = re.subn(r"--set block_M=64,128,256", grid, submit)
    if (kernels, grids) != (1, 1):
        sys.exit(f"the recipe has another kernel or grid: {found[0]}")
    if gpus:
        if "--gres=gpu:1" not in told:
            sys.exit("sweep --help does not say how a task gets a GPU")
        submit = submit.replace("sbatch --array=1-8", f"sbatch --gres=gpu:1 --array=1-{gpus}")
        submit = submit.replace("tilescope sweep", "tilescope sweep --bench")
    return submit, merge[1]


def run_array(node: ClusterNode, submit: str) -> None:
    job = re.search(r"\d+", node.run("bash", "-c", submit))[0]
    end = time.monotonic() + 1800
    while waiting := node.run("squeue", "-h", "-j", job, "-o", "%i %r", check=False):
        if time.monotonic() > end:
            sys.exit(f"the array is not done: {waiting}")
        # Slurm waits two minutes before it runs a task again.
        if "BeginTime" in waiting:
            node.run("scontrol", "update", f"JobId={job}_{VICTIM}", "StartTime=now", check=False)
        time.sleep(1)


def write_program(node: ClusterNode, text: str) -> None:
    """What jobs find as `tilescope`."""
    (node.folder / "bin").mkdir()
    wrapper = node.folder / "bin/tilescope"
    wrapper.write_text(text)
    wrapper.chmod(0o755)
    node.environment["PATH"] = f"{wrapper.parent}:{node.environment['PATH']}"


def merged_and_single(node: ClusterNode, program: pathlib.Path, commands: tuple[str, str], options: str) -> tuple[float, float]:
    """Seconds of the array and of one sweep; their tables are gemm.csv and single.csv."""
    submit, merge = commands
    begin = time.monotonic()
    run_array(node, submit)
    array = time.monotonic() - begin
    node.run("bash", "-c", merge, check=False)
    begin = time.monotonic()
    single = subprocess.run(f"{program} sweep {KERNEL}:matmul {options} -o single.csv", shell=True, cwd=node.folder)
    if single.returncode not in (0, 1) or not (node.folder / "gemm.csv").exists():
        logs = "\n".join(path.read_text()[-1000:] for path in sorted(node.folder.glob("slurm-*.out")))
        sys.exit(f"the sweeps have not run:\n{logs}")
    return array, time.monotonic() - begin


def check_shards(program: pathlib.Path, folder: pathlib.Path, root: pathlib.Path) -> None:
    with ClusterNode(folder, REQUEUE, root=root) as node:
        write_program(node, WRAPPER.format(program=program, victim=VICTIM, requeue=REQUEUE))
        array, _ = merged_and_single(node, program, recipe(program, GRID, 0), GRID)
    print(f"the array took {array:.0f} s")
    runs = (node.folder / "victim").read_text().splitlines()
    print("\n".join(["the task that was killed:", *runs]))
    merged, wanted = (node.folder / "gemm.csv").read_bytes(), (node.folder / "single.csv").read_bytes()
    rows = len(wanted.splitlines()) - 1
    if len(runs) != 2 or not runs[1].startswith("run, 1 before:"):
        sys.exit("it did not run twice")
    if rows != POINTS:
        sys.exit(f"{rows} points, not {POINTS}")
    if merged != wanted:
        sys.exit(f"{node.folder}/gemm.csv differs from single.csv beside it")
    print(f"{len(merged):,} bytes of {rows:,} points are those of one sweep")


def rows_of(file: pathlib.Path) -> tuple[list[dict[str, str]], list[int]]:
    """What does not differ from run to run, and the times."""
    with open(file, newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    times = [int(row.get("medianNs") or 0) for row in rows]
    return [{name: value for name, value in row.items() if name not in OF_TIMES} for row in rows], times


def check_gpus(program: pathlib.Path, folder: pathlib.Path, root: pathlib.Path, gpus: int) -> None:
    with ClusterNode(folder, REQUEUE, gpus, root) as node:
        write_program(node, GPU_WRAPPER.format(program=program))
        array, single = merged_and_single(node, program, recipe(program, TIMED_GRID, gpus), f"--bench {TIMED_GRID}")
    given = sorted((node.folder / "gpus").read_text().split())
    (merged, merged_times), (wanted, times) = rows_of(node.folder / "gemm.csv"), rows_of(node.folder / "single.csv")
    print(f"tasks had the GPUs {' '.join(given)}")
    if given != [str(number) for number in range(gpus)]:
        sys.exit(f"{gpus} tasks were to have one GPU each")
    if len(wanted) != TIMED_POINTS or merged != wanted:
        sys.exit(f"{len(merged)} rows of gemm.csv and {len(wanted)} of single.csv in {node.folder} differ, or are not {TIMED_POINTS}")
    timed = [(one, other) for one, other in zip(merged_times, times) if one and other]
    if len(timed) < TIMED_POINTS / 2:
        sys.exit(f"{len(timed)} points were timed: {wanted[0]['error']}")
    apart = statistics.median(abs(one / other - 1) for one, other in timed)
    print(f"{len(wanted)} rows are those of one sweep; of {len(timed)} that were timed the times are {apart:.1%} apart (median)")
    print(f"points a minute: {60 * TIMED_POINTS / single:.0f} with one GPU, {60 * TIMED_POINTS / array:.0f} with {gpus} "
          f"({single / array:.2f} times)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path, default=TREE / "build/cluster")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path("/"))
    parser.add_argument("--gpus", type=int, default=0)
    given = parser.parse_args()
    program = given.program.resolve()
    if given.gpus:
        check_gpus(program, given.folder, given.root, given.gpus)
    else:
        check_shards(program, given.folder, given.root)


if __name__ == "__main__":
    main()
