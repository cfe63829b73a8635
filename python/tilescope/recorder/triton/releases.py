"""python -m tilescope record --triton 3.9,3.8: one kernel with two releases of Triton, and what differs.

Each has a virtual environment of its own, made where it is needed first, which finds this package by a folder of links to it."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from tilescope import programs
from tilescope.problem import Problem

RELEASE = re.compile(r"\d+\.\d+(\.\d+)?")


def record(given) -> int:
    """The exit code of `tilescope diff`."""
    releases = given.triton.split(",")
    if len(releases) != 2 or releases[0] == releases[1] or not all(RELEASE.fullmatch(each) for each in releases):
        raise Problem(f"--triton {given.triton}: expected two releases, such as 3.9,3.8")
    if given.cuda:
        raise Problem("--cuda is of one compile, and --triton of two")
    folder = pathlib.Path(given.output or "releases")
    with tempfile.TemporaryDirectory(prefix="tilescope-") as links:
        for each in (programs.PACKAGE, *programs.PACKAGE.parent.glob("tilescope-*.dist-info")):
            (pathlib.Path(links) / each.name).symlink_to(each)
        for release in releases:
            made = subprocess.run([python_of(release), "-m", "tilescope", "record", *asked(given), "-o", f"{folder / release}/"],
                                  env=os.environ | {"PYTHONPATH": links}, stdout=subprocess.DEVNULL)
            if made.returncode:
                raise Problem(f"Triton {release} did not compile it")
    return subprocess.run([programs.path("tilescope"), "diff", folder / releases[0], folder / releases[1]]).returncode


def asked(given) -> list[str]:
    several = {"--signature": given.signature, "--constexpr": given.constexpr, "--option": given.option}
    return [given.kernel, "--target", given.target, *(word for option, values in several.items() for value in values
                                                      for word in (option, value)), *["--llvm-text"] * given.llvm_text]


def python_of(release: str) -> pathlib.Path:
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    folder = cache / "tilescope" / f"triton-{release}-python-{sys.version_info.major}.{sys.version_info.minor}"
    python = folder / "bin/python"
    has_triton = [python, "-c", "import triton"]
    if python.exists() and subprocess.run(has_triton, stderr=subprocess.DEVNULL).returncode == 0:
        return python
    print(f"installing Triton {release} into {folder}", file=sys.stderr, flush=True)
    version = release if release.count(".") == 2 else f"{release}.*"
    for command in ([sys.executable, "-m", "venv", "--clear", folder], [python, "-m", "pip", "install", "-q", f"triton=={version}"]):
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            said = (run.stderr or run.stdout).strip().splitlines() or [f"exit code {run.returncode}"]
            raise Problem(f"cannot install Triton {release} into {folder}: {said[-1]}")
    return python
