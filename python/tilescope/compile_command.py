"""`python -m tilescope compile FILE[:FUNCTION] --set NAME=VALUE ... --target sm_80 [options of 'tilescope compile']`

TileLang's front end runs the file, and the program compiles the IR text from there. With --ir the text is written and
nothing is compiled: every verb of the program that takes a kernel takes it."""

import argparse
import contextlib
import pathlib
import subprocess
import sys
import tempfile
import traceback

from tilescope import programs
from tilescope.problem import PlacedProblem, Problem
from tilescope.recorder.trace_writer import output


def parsed(arguments: list[str]):
    """What is ours, and what is handed to the program."""
    parser = argparse.ArgumentParser(prog="python -m tilescope compile", description=__doc__.partition("\n\n")[2])
    parser.add_argument("kernel", metavar="FILE[:FUNCTION]", help="the file is Python and runs here")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="an argument of the kernel")
    parser.add_argument("--target", default="sm_80", help="sm_80, sm_90a, ... (default: sm_80)")
    parser.add_argument("--ir", metavar="FILE", help="write the IR text there, and compile nothing")
    parser.add_argument("--program", metavar="FILE", help="the tilescope to run")
    return parser.parse_known_args(arguments)


def place_of(error: BaseException, package: str) -> str:
    """"FILE:LINE: " where the kernel's own files were left last."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if not frame.filename.startswith((package, str(programs.PACKAGE), "<"))]
    return f"{frames[-1].filename}:{frames[-1].lineno}: " if frames else ""


def lowered(given) -> str:
    """The IR text. What the kernel's files print goes to standard error."""
    with contextlib.redirect_stdout(sys.stderr):
        try:
            from tilescope import kernel_files
            from tilescope.door import kernel_in_file, lower
        except ImportError as error:
            raise Problem(f"TileLang is needed to read the kernel ({error}): pip install tilelang") from error
        try:
            kernel = kernel_in_file(given.kernel, given.target)
            return lower(kernel, given.target, **kernel_files.arguments_of(given.set, kernel))
        except Problem:
            raise
        except Exception as error:  # whatever the kernel's files raise
            raise PlacedProblem(said(error, given.kernel)) from error


def said(error: Exception, kernel: str) -> str:
    """Why there is no IR text of a kernel, one line a problem."""
    from tilescope.door import NotLowered
    from tilescope.door.kernels import TILELANG

    if isinstance(error, NotLowered):
        return "\n".join(f"{missing.place or kernel}: error: {missing.text()}" for missing in error.missing)
    if isinstance(error, Problem):
        return str(error)
    return (f"{place_of(error, TILELANG)}error: TileLang did not elaborate the kernel: "
            f"{type(error).__name__}: {error}")


def compiled(given, rest: list[str], text: str) -> int:
    """The exit code of the program."""
    program = given.program or str(programs.path("tilescope"))
    with tempfile.TemporaryDirectory() as folder:
        written = pathlib.Path(folder) / (pathlib.Path(given.kernel.partition(":")[0]).stem + ".ir")
        written.write_text(text, encoding="utf-8")
        code = subprocess.run([program, "compile", str(written), "--target", given.target, *rest]).returncode
    return code if code >= 0 else 128 - code


def main(arguments: list[str]) -> int:
    given, rest = parsed(arguments)
    text = lowered(given)
    if not given.ir:
        return compiled(given, rest, text)
    with output(given.ir) as name:
        pathlib.Path(name).write_text(text, encoding="utf-8")
    return 0
