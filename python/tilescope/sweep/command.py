"""python -m tilescope sweep: compiles a kernel with every config of its @tilelang.autotune or @triton.autotune, and prints
what each needs.

TileLang's front end reads each config, Tilescope compiles it; kernels of Triton's Triton compiles. No GPU is
needed and nothing is timed. A config that fails, or does not fit, is a row with its reason. Where the configs are
all combinations of their values, each argument has a column; otherwise one column has the whole config. What the
figures and the star say stands in 'tilescope sweep --help'.
Exit code: 0 fine, 1 a config failed, 2 trouble, or no config compiles."""

import argparse
import functools
import os
import pathlib
import sys

from tilescope.problem import Problem
from tilescope.recorder.command import is_of_triton
from tilescope.sweep.table import journal_of, write_table

EXAMPLE = """example:
  python -m tilescope sweep flash_attention.py:flashattn --set batch=1 --set heads=32 --set seq_len=4096 \\
    --set dim=128 --set is_causal=true --target sm_80 -o configs.csv
  python -m tilescope sweep matmul.py:matmul --signature '*fp16:16 *fp16:16 *fp16:16 i32:16 i32:16 i32:16' \\
    --constexpr BLOCK_M=64,128 --constexpr BLOCK_N=128,256 --constexpr BLOCK_K=64 --option num_stages=2,3,4 \\
    --target sm_80,sm_89,sm_90"""
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
    triton = parser.add_argument_group("kernels of Triton")
    triton.add_argument("--signature", action="append", default=[], metavar="TYPES", help="as of 'record'")
    triton.add_argument("--constexpr", action="append", default=[], metavar="NAME=VALUE,...", help="a constant, with one value or several")
    triton.add_argument("--option", action="append", default=[], metavar="NAME=VALUE,...", help="num_warps, num_stages, ...")
    triton.add_argument("--traces", default="", metavar="FOLDER", help="keep a trace of each config there")
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


def sweep_triton(given: argparse.Namespace) -> int:
    if given.set or given.ptxas or handed_on(given)[0]:
        raise Problem("--set, --ptxas and options of our own compiler are not for kernels of Triton")
    try:
        from tilescope.recorder.triton import versions
        from tilescope.sweep.triton_configs import Measure, configs_of
    except ImportError as error:
        raise Problem(f"Triton is needed to compile its kernels ({error}): pip install triton") from None
    versions.check()
    if given.traces:
        pathlib.Path(given.traces).mkdir(parents=True, exist_ok=True)
    configs, fixed = configs_of(given.kernel, given.constexpr, given.option)
    measure = Measure(given.kernel, given.signature, fixed, given.option, given.traces)
    return write_table({target: configs for target in targets_of(given)}, given.kernel, fixed, measure, handed_on(given)[1],
                       max(1, given.jobs))


def sweep(given: argparse.Namespace) -> int:
    if is_of_triton(given):
        return sweep_triton(given)
    try:
        from tilescope.sweep.configs import lowered_configs
    except ImportError as error:
        raise Problem(f"TileLang is needed to read configs ({error}): pip install tilelang") from None
    configs = {target: lowered_configs(given.kernel, given.set, target, show_progress) for target in targets_of(given)}
    fixed = dict(text.split("=", 1) for text in given.set)
    options, output = handed_on(given)
    return write_table(configs, given.kernel, fixed, functools.partial(journal_of, options=options), output, max(1, given.jobs))


def main(arguments: list[str]) -> int:
    return sweep(parse(arguments))
