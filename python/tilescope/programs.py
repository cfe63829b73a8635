"""The programs of the package: where they lie, and how a process of Python becomes one."""

import importlib.util
import os
import pathlib
import re
import signal
import sys
from typing import NoReturn

PACKAGE = pathlib.Path(__file__).resolve().parent
# Where an installed package has its programs.
INSTALLED = PACKAGE / "bin"
TROUBLE = 2


def source_tree() -> pathlib.Path | None:
    """The tree of Tilescope's sources that this package is part of; None where it was installed."""
    tree = PACKAGE.parents[1]
    return tree if (tree / "python/tilescope/programs.py").is_file() else None


def version() -> str:
    tree = source_tree()
    if tree:
        text = (tree / "CMakeLists.txt").read_text(encoding="utf-8")
        return re.search(r"^project\(Tilescope VERSION ([0-9.]+)", text, re.MULTILINE).group(1)
    from importlib import metadata

    return metadata.version("tilescope")


def folders() -> list[pathlib.Path]:
    """Where programs are looked for: inside of the package; for one in a source tree $TILESCOPE_PROGRAMS, and what was
    built there."""
    tree = source_tree()
    if not tree:
        return [INSTALLED]
    named = os.environ.get("TILESCOPE_PROGRAMS")
    return ([pathlib.Path(named)] if named else []) + [tree / "build/release/bin"]


def path(name: str) -> pathlib.Path:
    """The file of "tilescope" or "tilescope-view"; FileNotFoundError says where it was looked for."""
    for folder in folders():
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(f"no program '{name}' in " + " or ".join(map(str, folders())))


def around() -> dict[str, str]:
    """The environment of a program. Triton brings an nvdisasm, which is taken where there is no other: SASS of its kernels is made when
    it is asked for."""
    spec = importlib.util.find_spec("triton")
    folders = [f"{folder}/backends/nvidia/bin" for folder in spec.submodule_search_locations or ()] if spec else []
    return os.environ | {"PATH": os.pathsep.join([os.environ.get("PATH", os.defpath), *filter(os.path.isdir, folders)])}


def run(name: str, arguments: list[str]) -> NoReturn:
    """This process becomes the program, so signals and the exit code are the program's own."""
    try:
        program = path(name)
        sys.stdout.flush()
        # Python ignores these two, and what is ignored stays so.
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        os.execve(program, [str(program), *arguments], around())
    except OSError as error:
        print(f"tilescope: error: {error}", file=sys.stderr)
        sys.exit(TROUBLE)


def tilescope() -> NoReturn:
    run("tilescope", sys.argv[1:])


def tilescope_view() -> NoReturn:
    run("tilescope-view", sys.argv[1:])
