"""Usage: sweep.py KERNEL_FILE [--format ...]: tables of configs whose IR text is given; needs no TileLang."""

import functools
import subprocess
import sys

from tilescope import programs
from tilescope.problem import Problem
from tilescope.sweep.table import Config, journal_of, write_table

kernel, *output = sys.argv[1:]


def config(error="", **values):
    settings = [word for name, value in values.items() for word in ("--set", f"{name}={value}")]
    command = [programs.path("tilescope"), "opt", kernel, "--set", "M=512", "--set", "N=512", "--set", "K=512", *settings,
               "--passes", "", "--tagged"]
    text = "" if error else subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return Config({name: str(value) for name, value in values.items()}, text, error)


def table(*configs, options=(), **more):
    """`more`: configs of other targets."""
    sys.stdout.flush()
    measure = functools.partial(journal_of, options=list(options))
    code = write_table({"sm_80": configs, **more}, "gemm.py:matmul", {"M": "512"}, measure, output, jobs=2)
    print("exit code", code, flush=True)


grid = [config(num_stages=s, block_M=m) for s in (3, 2) for m in (64, 128)]
table(*grid)
table(*grid[:3], grid[0], config(num_stages=2, block_M=17, error="no such tile"))
# What is refused where it is compiled is a row as well.
table(grid[0], config(num_stages=1, block_M=8))
table(*grid[:2], options=("--pass-option", "inject-pipeline.peel-epilogue=false,true"))
refused = [config(num_stages=s, error="no such tile") for s in (1, 2)]
for more in ({}, {"sm_90a": grid[:1]}):
    try:
        table(*refused, **more)
    except Problem as problem:
        print(problem)
table(*grid[:3], sm_89=grid[:3], options=("--pass-option", "inject-pipeline.peel-epilogue=false,true"))
# What fails for one target alone.
table(refused[0], sm_89=[config(num_stages=1)])
