#!/usr/bin/env python3
"""The recipe for Slurm in `tilescope sweep --help`, on a Slurm of this machine: an array of 8 shards of 2,000 points, of which
one is killed on its way and queued again. What `merge` makes of them is byte for byte the table of one sweep.

  check_cluster.py PROGRAM [--folder build/cluster]"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

from cluster_node import ClusterNode

TREE = pathlib.Path(__file__).resolve().parents[2]
KERNEL = TREE / "testdata/kernels/gemm_relu.py"
GRID = ("--set M=1024 --set N=1024 --set K=1024 --set block_M=32..128*2,192,256 --set block_N=32..128*2,192,256 "
        "--set block_K=16,32,64,128 --set num_stages=0..4 --target sm_80,sm_89,sm_90a,sm_100")
POINTS = 2000
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


def recipe(program: pathlib.Path) -> tuple[str, str]:
    """The two commands of the help, submit and merge, for our kernel and grid."""
    told = subprocess.run([program, "sweep", "--help"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"^  sbatch .*?(?=^  tilescope merge)", told, re.MULTILINE | re.DOTALL)
    merge = re.search(r"^  (tilescope merge part-.*)$", told, re.MULTILINE)
    if not found or not merge:
        sys.exit("sweep --help has no recipe of sbatch and merge")
    submit, kernels = re.subn(r"gemm\.py:matmul", f"{KERNEL}:matmul", found[0])
    submit, grids = re.subn(r"--set block_M=64,128,256", GRID, submit)
    if (kernels, grids) != (1, 1):
        sys.exit(f"the recipe has another kernel or grid: {found[0]}")
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path, default=TREE / "build/cluster")
    given = parser.parse_args()
    program = given.program.resolve()
    submit, merge = recipe(program)
    with ClusterNode(given.folder, REQUEUE) as node:
        (node.folder / "bin").mkdir()
        wrapper = node.folder / "bin/tilescope"
        wrapper.write_text(WRAPPER.format(program=program, victim=VICTIM, requeue=REQUEUE))
        wrapper.chmod(0o755)
        node.environment["PATH"] = f"{wrapper.parent}:{os.environ['PATH']}"
        begin = time.monotonic()
        run_array(node, submit)
        print(f"the array took {time.monotonic() - begin:.0f} s")
        node.run("bash", "-c", merge, check=False)
        single = node.folder / "single.csv"
        node.run("bash", "-c", f"{program} sweep {KERNEL}:matmul {GRID} -o {single}", check=False)
    check(node.folder, single)


def check(folder: pathlib.Path, single: pathlib.Path) -> None:
    runs = (folder / "victim").read_text().splitlines()
    print("\n".join(["the task that was killed:", *runs]))
    merged, wanted = (folder / "gemm.csv").read_bytes(), single.read_bytes()
    rows = len(wanted.splitlines()) - 1
    if len(runs) != 2 or not runs[1].startswith("run, 1 before:"):
        sys.exit("it did not run twice")
    if rows != POINTS:
        sys.exit(f"{rows} points, not {POINTS}")
    if merged != wanted:
        sys.exit(f"{folder}/gemm.csv differs from {single}")
    print(f"{len(merged):,} bytes of {rows:,} points are those of one sweep")


if __name__ == "__main__":
    main()
