"""python -m tilescope sweep: compiles a kernel with every config of its @tilelang.autotune, and prints what each needs.

TileLang's front end reads each config, Tilescope compiles it; no GPU is needed and nothing is timed. A config that fails
is a row with its reason. Where the configs are all combinations of their values, each argument has a column; otherwise
one column has the whole config. What the figures and the star say stands in 'tilescope sweep --help'.
Exit code: 0 fine, 1 a config failed, 2 trouble, or no config compiles."""

import argparse
import os
import sys

from tilescope.problem import Problem
from tilescope.sweep.table import write_table

EXAMPLE = """example:
  python -m tilescope sweep flash_attention.py:flashattn --set batch=1 --set heads=32 --set seq_len=4096 \\
    --set dim=128 --set is_causal=true --target sm_80 -o configs.csv"""
# Handed on as they are.
OF_SWEEP = {"--plan-for": "what comes first in the plan: height or occupancy",
            "--pass-option": "PASS.NAME=VALUE, an option of a pass", "--previous": "keep buffers where this trace has them",
            "--cuda-path": "folder of the CUDA Toolkit"}


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tilescope sweep", description=__doc__.partition(": ")[2],
                                     epilog=EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernel", metavar="FILE[:FUNCTION]", help="the file is Python and runs here")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                        help="an argument of the kernel that its configs do not give")
    parser.add_argument("--target", action="append", metavar="NAME,...",
                        help="sm_80, sm_90a, ...; may be given more than once (default: sm_80)")
    parser.add_argument("-o", "--output", metavar="FILE", help="the table (default: standard output)")
    parser.add_argument("--format", choices=("text", "csv", "json"), help="default: what the file's name ends with")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, help="compiles at a time (default: one a core)")
    parser.add_argument("--ptxas", action="store_true", help="registers and spills too")
    for option, what in OF_SWEEP.items():
        parser.add_argument(option, action="append", default=[], metavar="VALUE", help=what)
    return parser.parse_args(arguments)


def handed_on(given: argparse.Namespace) -> tuple[list[str], list[str]]:
    """The options of `tilescope sweep`, and those of `tilescope merge`."""
    options = ["--ptxas"] if given.ptxas else []
    for option in OF_SWEEP:
        for value in getattr(given, option.removeprefix("--").replace("-", "_")):
            options += [option, value]
    output = ["-o", given.output] if given.output else []
    return options, output + (["--format", given.format] if given.format else [])


def targets_of(given: argparse.Namespace) -> list[str]:
    """Each once, in the order given."""
    return list(dict.fromkeys(name for text in given.target or ["sm_80"] for name in text.split(",")))


def show_progress(done: int, all: int):
    if sys.__stderr__.isatty():
        print(f"\r{done} of {all} configs read", end="\n" if done == all else "", file=sys.__stderr__, flush=True)


def sweep(given: argparse.Namespace) -> int:
    try:
        from tilescope.sweep.configs import lowered_configs
    except ImportError as error:
        raise Problem(f"TileLang is needed to read configs ({error}): pip install tilelang") from None
    configs = {target: lowered_configs(given.kernel, given.set, target, show_progress) for target in targets_of(given)}
    fixed = dict(text.split("=", 1) for text in given.set)
    return write_table(configs, given.kernel, fixed, *handed_on(given), max(1, given.jobs))


def main(arguments: list[str]) -> int:
    return sweep(parse(arguments))
