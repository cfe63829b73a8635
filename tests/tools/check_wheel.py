#!/usr/bin/env python3
"""A wheel in a bare Debian 12: installs without a compiler, compiles and exports a kernel, and says which packages a
picture and a window need; with those installed, the picture is drawn. Run by `./dev wheel --try`, as root.

Usage: check_wheel.py WHEEL --system FOLDER
FOLDER keeps the bare system for the next time, since making it takes a minute; what is tried is a copy.
"""

import argparse
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

import tree

SUITE = "bookworm"
KERNEL = "testdata/kernels/gemm_relu.py"
ARGUMENTS = ["--set", "M=1024", "--set", "N=1024", "--set", "K=1024", "--target", "sm_80"]
# From the bare system to an exported page.
MOST_SECONDS = 15
MOST_BYTES = 15_000_000
PNG = b"\x89PNG\r\n\x1a\n"
# Of its own, so that what it mounts is gone when the command ends. Programs find themselves through /proc.
CHROOT = ["unshare", "--mount", "sh", "-c", 'mount -t proc proc "$0/proc"; exec chroot "$0" "$@"']
# Where nothing may be mounted.
PLAIN_CHROOT = ["chroot"]


class BareSystem:
    """A minimal Debian in a folder; commands run inside of it, in /try."""

    def __init__(self, root: pathlib.Path):
        self.root = root
        probe = subprocess.run([*CHROOT, root, "true"], capture_output=True)
        self.chroot = PLAIN_CHROOT if probe.returncode else CHROOT
        self.folder = root / "try"
        self.folder.mkdir()

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": "/try/venv/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8",
                       "DEBIAN_FRONTEND": "noninteractive"}
        environment |= {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
        return subprocess.run([*self.chroot, str(self.root), "sh", "-c", 'cd /try && exec "$@"', "sh", *words],
                              env=environment, capture_output=True, text=True)


def make_system(folder: pathlib.Path) -> None:
    """Grows beside its name, which only a whole one gets."""
    print(f"making a bare Debian ({SUITE}) with python3-venv alone in {folder}", flush=True)
    growing = folder.with_name(folder.name + ".new")
    shutil.rmtree(growing, ignore_errors=True)
    subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", "--include=python3-venv", SUITE, growing], check=True)
    growing.rename(folder)


@contextlib.contextmanager
def bare_copy(kept: pathlib.Path) -> Iterator[BareSystem]:
    """A copy, gone afterwards, of the bare system in `kept`, which is made if it is not there."""
    if os.geteuid():
        sys.exit("a bare system is made and entered by root alone")
    if not kept.exists():
        make_system(kept)
    with tempfile.TemporaryDirectory() as name:
        pathlib.Path(name).chmod(0o755)  # apt downloads as a user of its own
        root = pathlib.Path(name) / "root"
        subprocess.run(["cp", "-a", kept, root], check=True)
        yield BareSystem(root)


class Trial:
    def __init__(self, system: BareSystem):
        self.system = system
        self.findings: list[str] = []

    def step(self, what: str, *words: str, expected: int = 0) -> subprocess.CompletedProcess[str]:
        begin = time.monotonic()
        result = self.system.run(*words)
        print(f"  {time.monotonic() - begin:6.2f} s  {what}", flush=True)
        if result.returncode != expected:
            said = result.stdout + result.stderr
            self.findings.append(f"{what}: exits with {result.returncode}, not {expected}:\n{said}")
        return result

    def expect(self, holds: object, finding: str) -> None:
        if not holds:
            self.findings.append(finding)


def compile_and_export(trial: Trial, wheel: pathlib.Path) -> float:
    """The seconds that it took in a new virtual environment."""
    folder = trial.system.folder
    shutil.copy(wheel, folder)
    shutil.copy(tree.ROOT / KERNEL, folder / "gemm_relu.py")
    trial.step("python3 -m venv", "python3", "-m", "venv", "venv")
    begin = time.monotonic()
    trial.step("pip install --no-index", "pip", "install", "--quiet", "--no-index", wheel.name)
    trial.step("tilescope compile", "tilescope", "compile", "gemm_relu.py:matmul", *ARGUMENTS, "-o", "gemm_relu.cu",
               "--trace", "gemm_relu.trace")
    shown = trial.step("tilescope show", "tilescope", "show", "passes", "gemm_relu.trace")
    trial.step("tilescope export", "tilescope", "export", "gemm_relu.trace", "--format", "html", "-o", "gemm_relu.html")
    seconds = time.monotonic() - begin
    print(f"  {seconds:6.2f} s  in all; the limit is {MOST_SECONDS} s")
    trial.expect("merge-shared-memory" in shown.stdout, f"show passes prints no pass:\n{shown.stdout}")
    for name in ("gemm_relu.cu", "gemm_relu.html"):
        trial.expect((folder / name).exists(), f"{name} was not written")
    return seconds


def check_start(trial: Trial, version: str) -> None:
    """What the package says of itself, and that other programs in Python pay nothing for it."""
    said = trial.step("tilescope --version", "tilescope", "--version").stdout
    trial.expect(version in said, f"tilescope --version says '{said.strip()}', the wheel is of {version}")
    said = trial.step("tilescope.__version__", "python", "-c", "import tilescope; print(tilescope.__version__)").stdout
    trial.expect(said.strip() == version, f"tilescope.__version__ is '{said.strip()}', the wheel is of {version}")
    typed = "import importlib.resources as r; print(r.files('tilescope').joinpath('py.typed').is_file())"
    trial.expect(trial.step("its type hints are announced", "python", "-c", typed).stdout == "True\n", "py.typed is not in the wheel")
    trial.step("python -m tilescope show --help", "python", "-m", "tilescope", "show", "--help")
    imported = trial.step("python -X importtime -c pass", "python", "-X", "importtime", "-c", "pass").stderr
    trial.expect("site" in imported and "tilescope" not in imported, "a Python that does nothing imports tilescope")


def packages_named(trial: Trial, what: str, *words: str) -> list[str]:
    """The packages that the error of a command asks for."""
    error = trial.step(what, *words, expected=2).stderr
    print("            " + error.strip())
    named = re.search(r"apt install ([a-z0-9 .+-]+)", error)
    trial.expect(named, f"{what}: names no packages: {error}")
    return named.group(1).split() if named else []


def check_pictures(trial: Trial) -> None:
    """The packages that the errors name are enough."""
    picture = ["tilescope", "view", "gemm_relu.trace", "--screenshot", "arena.png"]
    for_pictures = packages_named(trial, "tilescope view --screenshot, without its packages", *picture)
    for_window = packages_named(trial, "tilescope view, without its packages", "tilescope", "view", "gemm_relu.trace")
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends"]
    trial.step("apt-get update", "apt-get", "update", "-qq")
    trial.step("apt-get install " + " ".join(for_pictures), *install, *for_pictures)
    trial.step("tilescope view --screenshot", *picture)
    written = trial.system.folder / "arena.png"
    trial.expect(written.exists() and written.read_bytes().startswith(PNG), "arena.png is no picture")
    trial.step("apt-get install " + " ".join(for_window), *install, *for_window)
    # All that is left to miss.
    error = trial.step("tilescope view, without a display", "tilescope", "view", "gemm_relu.trace", expected=2).stderr
    print("            " + error.strip())
    trial.expect("display" in error, f"without a display tilescope view says: {error}")


def try_wheel(wheel: pathlib.Path, system: BareSystem) -> list[str]:
    trial = Trial(system)
    size = wheel.stat().st_size
    print(f"wheel: {wheel.name}, {size:,} bytes; in a bare Debian:")
    trial.expect(size < MOST_BYTES, f"{wheel.name} has {size:,} bytes, the limit is {MOST_BYTES:,}")
    seconds = compile_and_export(trial, wheel)
    if not trial.findings:
        check_start(trial, wheel.name.split("-")[1])
        check_pictures(trial)
    trial.expect(seconds < MOST_SECONDS, f"took {seconds:.1f} s from the bare system on, the limit is {MOST_SECONDS} s")
    return trial.findings


def main() -> list[str]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=pathlib.Path)
    parser.add_argument("--system", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    with bare_copy(arguments.system) as system:
        return try_wheel(arguments.wheel, system)


if __name__ == "__main__":
    tree.finish("wheel", main())
