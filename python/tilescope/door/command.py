"""`python -m tilescope compile FILE[:FUNCTION] --set NAME=VALUE ... --target sm_80 [options of the program]`

TileLang's front end runs the file; the program takes the IR text from there. `compile`, `opt`, `check` and `plan` work
like those of the program, which is handed every option that is not named here."""

import argparse
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import traceback

VERBS = ("compile", "opt", "check", "plan")
TROUBLE = 2


class Trouble(Exception):
    """One line a problem, for people."""


def parsed(arguments: list[str]):
    parser = argparse.ArgumentParser(prog="python -m tilescope", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=VERBS)
    parser.add_argument("kernel", help="FILE[:FUNCTION]; the file is Python and runs here")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="an argument of the kernel")
    parser.add_argument("--target", default="sm_80", help="sm_80, sm_90a, ... (default: sm_80)")
    parser.add_argument("--program", help="the tilescope to run (default: $TILESCOPE, or that of PATH)")
    return parser.parse_known_args(arguments)


def program_of(given: str | None) -> str:
    program = given or os.environ.get("TILESCOPE") or shutil.which("tilescope")
    if not program:
        raise Trouble("tilescope: error: the program 'tilescope' is not in PATH; name it with --program")
    return program


def place_of(error: BaseException, package: str) -> str:
    """"FILE:LINE: " where the kernel's own files were left last."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if not frame.filename.startswith((package, os.path.dirname(__file__), "<"))]
    return f"{frames[-1].filename}:{frames[-1].lineno}: " if frames else ""


def lowered(given) -> str:
    """The IR text. What the kernel's files print goes to standard error."""
    with contextlib.redirect_stdout(sys.stderr):
        try:
            from . import KernelError, NotLowered, kernel_in_file, lower, settings
            from .kernels import TILELANG
        except ImportError as error:
            raise Trouble(f"tilescope: error: this needs TileLang: {error}") from error
        try:
            return lower(kernel_in_file(given.kernel, given.target), given.target, **settings(given.set))
        except NotLowered as error:
            raise Trouble("\n".join(f"{missing.place or given.kernel}: error: {missing.text()}"
                                    for missing in error.missing)) from error
        except KernelError as error:
            raise Trouble(f"tilescope: error: {error}") from error
        except Exception as error:  # whatever the kernel's files raise
            raise Trouble(f"{place_of(error, TILELANG)}error: TileLang did not elaborate the kernel: "
                          f"{type(error).__name__}: {error}") from error


def main(arguments: list[str]) -> int:
    given, rest = parsed(arguments)
    try:
        program, text = program_of(given.program), lowered(given)
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return TROUBLE
    with tempfile.TemporaryDirectory() as folder:
        written = pathlib.Path(folder) / (pathlib.Path(given.kernel.partition(":")[0]).stem + ".ir")
        written.write_text(text, encoding="utf-8")
        return subprocess.run([program, given.verb, str(written), "--target", given.target, *rest]).returncode
