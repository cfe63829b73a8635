"""python -m tilescope lsp: a language server for kernel files, over standard input and output.

What a file's `# tilescope:` lines list is checked whenever the file is opened or saved: errors and findings with their
notes and fixes. Hovering a buffer tells its bytes, life, layout and bank conflicts; hints say what allocations take, lenses
what a kernel does. Files without such a line are left alone. docs/editor.md has the lines for editors."""

import argparse

from tilescope.problem import Problem


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tilescope lsp", description=__doc__.partition(": ")[2],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", metavar="NAME", help="GPU of the instances that name none (default: sm_80)")
    parser.add_argument("--python-path", action="append", default=[], metavar="DIR",
                        help="folder in which imported files are looked for")
    parser.add_argument("--time-limit", type=float, default=20, metavar="SECONDS",
                        help="for one question to the program (default: 20)")
    parser.add_argument("--stdio", action="store_true", help="taken and ignored: there is no other way")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    given = parse(arguments)
    try:
        from tilescope.editor.server import make_server
    except ImportError as error:
        raise Problem(f"pygls is needed for this ({error}): pip install 'tilescope[lsp]'") from None
    options = [f"--python-path={folder}" for folder in given.python_path]
    make_server(options, given.target, given.time_limit).start_io()
    return 0
