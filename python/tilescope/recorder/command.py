"""python -m tilescope record: what TileLang's own compiler or Triton's does with one kernel, as a trace. No GPU is needed."""

import argparse
import pathlib

from tilescope.definitions import packages_of, parsed
from tilescope.problem import Problem
from tilescope.recorder import trace_names

EXAMPLE = """example:
  python -m tilescope record gemm.py:matmul --set M=1024 --set N=1024 --set K=1024 --target sm_90a -o gemm.trace
  tilescope check gemm.trace
  python -m tilescope record softmax.py:softmax --signature '*fp32:16 *fp32:16 i32' --constexpr BLOCK=128 --target sm_90
  python -m tilescope record softmax.py --signature '*fp32:16 *fp32:16 i32' --constexpr BLOCK=128 --triton 3.9,3.8"""


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tilescope record", description=__doc__.partition(": ")[2],
                                     epilog=EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernel", help="FILE[:FUNCTION]; what the file runs at its top level is left out")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                        help="an argument of the kernel, or an extent that it names with T.const")
    parser.add_argument("--target", default="sm_80", help="sm_80, sm_90a, ... (default: sm_80)")
    parser.add_argument("-o", "--output", help="the trace, or FOLDER/ (default: FUNCTION-TARGET.trace in the current folder); folders are made")
    parser.add_argument("--cuda", help="also write the CUDA; of Triton the PTX")
    triton = parser.add_argument_group("kernels of Triton")
    triton.add_argument("--signature", action="append", default=[], metavar="TYPES",
                        help="types of the arguments that are no constants, in order, or NAME=TYPE: '*fp16:16 i32'; :16 says "
                        "that it is a multiple of 16")
    triton.add_argument("--constexpr", action="append", default=[], metavar="NAME=VALUE", help="an argument that is a constant")
    triton.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="num_warps, num_stages, ...")
    triton.add_argument("--triton", metavar="RELEASE,RELEASE", help="with these two releases of Triton, such as 3.9,3.8, each in a virtual "
                        "environment that is made for it; the traces are in the folder of -o (default: releases), and what differs is said")
    triton.add_argument("--llvm-text", action="store_true", help="also record the text of the LLVM dialect, which is large")
    return parser.parse_args(arguments)


def is_of_triton(given: argparse.Namespace) -> bool:
    if given.signature or given.constexpr or given.option or given.triton:
        return True
    packages = packages_of(parsed(pathlib.Path(given.kernel.partition(":")[0])))
    return "triton" in packages and "tilelang" not in packages


def record_triton(given: argparse.Namespace) -> int:
    if given.set:
        raise Problem("--set is of TileLang's kernels: --constexpr NAME=VALUE gives those of Triton's their constants")
    if given.triton:
        from tilescope.recorder.triton import releases

        return releases.record(given)
    try:
        from tilescope.recorder.triton import versions
    except ImportError as error:
        raise Problem(f"Triton is needed to record its compiles ({error}): pip install triton") from None
    versions.check()
    from tilescope.recorder.triton import command

    command.record(given)
    return 0


def record_tilelang(given: argparse.Namespace) -> int:
    try:
        from tilescope import kernel_files
        from tilescope.recorder.compile_trace import write_trace
        from tilescope.recorder.hold import Compile, held_compiles
        from tilescope.recorder.trace_writer import output
    except ImportError as error:
        raise Problem(f"TileLang is needed to record its compiles ({error}): pip install tilelang") from None
    kernel, file = kernel_files.kernel_in_file(given.kernel)
    arguments, target = kernel_files.arguments_of(given.set, kernel), kernel_files.target_of(given.target)
    trace = trace_names.asked(given.output, kernel_files.name_of(kernel), given.target)
    # Found out now: a compile may take long.
    with output(trace):
        pass
    compile_, error = Compile(), None
    try:
        with held_compiles(lambda: compile_):
            artifact = kernel_files.lower(kernel, arguments, target)
    except Problem:
        raise
    except Exception as raised:
        error = raised
    if compile_.steps:
        parameters = kernel_files.parameters_of(kernel, arguments)
        write_trace(trace, compile_, file, parameters, kernel_files.name_of(kernel))
    if error is not None:
        where = f"; {trace} says how far it came" if compile_.steps else ""
        raise Problem(f"TileLang did not compile it: {type(error).__name__}: {error}{where}")
    if pathlib.Path(given.output or "") != trace:
        print(trace)
    if given.cuda:
        pathlib.Path(given.cuda).write_text(artifact.kernel_source, encoding="utf-8")
    return 0


def main(arguments: list[str]) -> int:
    given = parse(arguments)
    return (record_triton if is_of_triton(given) else record_tilelang)(given)
