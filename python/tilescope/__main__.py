"""python -m tilescope VERB: the verbs of the program, and those that need Python.

  python -m tilescope record gemm.py:matmul --set M=1024 --target sm_80 -o gemm.trace
  python -m tilescope show passes gemm.trace
"""

import importlib
import sys

from tilescope import programs
from tilescope.problem import Problem

# verb: the module whose main(arguments) does it, and what it does. All others are the program's.
VERBS = {
    "record": ("tilescope.recorder.command", "record what TileLang's own compiler, or Triton's, does with a kernel"),
    "compile": ("tilescope.compile_command", "compile a kernel that TileLang's own front end has read"),
    "sweep": ("tilescope.sweep.command", "compile a kernel with every config of its @tilelang.autotune"),
    "lsp": ("tilescope.editor.command", "serve an editor: diagnostics, hovers, hints and lenses; needs pygls alone"),
    "barriers": ("tilescope.barriers", "say which barriers that Triton inserted order nothing"),
}


def print_usage() -> None:
    print("usage: python -m tilescope VERB [options]\n\nverbs that need Python and TileLang (record: or Triton; lsp: pygls):")
    for verb, (_, what) in VERBS.items():
        print(f"  {verb:13}{what}")
    print("\nAll other verbs are those of the program, which has a 'compile' and a 'sweep' of its own:\n", flush=True)


def ended(verb, arguments: list[str]) -> int:
    """The exit code of a verb that Python does. What users can mend is one line, and no traceback."""
    try:
        return verb(arguments) or 0
    except Problem as problem:
        print(problem.said(), file=sys.stderr)
    except OSError as error:
        print(f"tilescope: error: {error}", file=sys.stderr)
    return programs.TROUBLE


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["help"] and len(arguments) > 1:
        arguments = [arguments[1], "--help"]
    verb = arguments[0] if arguments else ""
    if verb in VERBS:
        module, _ = VERBS[verb]
        return ended(importlib.import_module(module).main, arguments[1:])
    if arguments in ([], ["-h"], ["--help"], ["help"]):
        print_usage()
        arguments = ["--help"]
    programs.run("tilescope", arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
