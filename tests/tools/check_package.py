#!/usr/bin/env python3
"""The packages for Debian in a bare Debian 12: install with what they depend on, compile and export a kernel, draw a
picture with what is recommended, build the example of a pass of others against them alone, and leave nothing behind.
Run by `./dev package --try`, as root.

Usage: check_package.py FOLDER --system FOLDER
The first folder holds one tilescope_*.deb and one tilescope-dev_*.deb; the second is that of check_wheel.py.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

import check_wheel
import tree

INSTALL = ["apt-get", "install", "-y", "-qq", "--no-install-recommends"]
MIME = "application/x-tilescope-trace"
PASSES = ("legalize-indices,unroll-tile-loops,simplify,plan-pipeline,inject-pipeline,infer-layouts,lower-tile-ops,"
          "guard-memory-access,vectorize-atomics,vectorize,split-host-device,insert-barriers,merge-shared-memory,"
          "insert-barriers,bind-loaded-indices,simplify")


def field(package, name):
    return subprocess.run(["dpkg-deb", "--field", package, name], capture_output=True, text=True, check=True).stdout.strip()


def packages_of(folder):
    """The program's and the headers'."""
    found = [sorted(folder.glob(f"{name}_*.deb")) for name in ("tilescope", "tilescope-dev")]
    if [len(files) for files in found] != [1, 1]:
        sys.exit(f"package: one tilescope_*.deb and one tilescope-dev_*.deb are wanted in {folder}")
    return [files[0] for files in found]


def use_program(trial, package):
    """What is linked is depended on, and nothing else is needed but for pictures."""
    depends = field(package, "Depends")
    print(f"            {package.name}, {package.stat().st_size:,} bytes: {depends}")
    trial.expect("libc6 (>=" in depends and "libstdc++6 (>=" in depends, f"{package.name} depends on: {depends}")
    trial.step("apt-get install tilescope", *INSTALL, f"./{package.name}")
    trial.step("tilescope compile", "tilescope", "compile", "gemm_relu.py:matmul", *check_wheel.ARGUMENTS, "-o",
               "gemm_relu.cu", "--trace", "gemm_relu.trace")
    trial.step("tilescope export", "tilescope", "export", "gemm_relu.trace", "--format", "html", "-o", "gemm_relu.html")
    said = trial.step("tilescope --version", "tilescope", "--version").stdout
    trial.expect(field(package, "Version") in said, f"tilescope --version says '{said.strip()}'")
    linked = trial.step("ldd", "sh", "-c", "ldd /usr/bin/tilescope /usr/bin/tilescope-view").stdout
    trial.expect("not found" not in linked, f"libraries are missing:\n{linked}")


def use_window(trial, package):
    picture = ["tilescope", "view", "gemm_relu.trace", "--screenshot", "arena.png"]
    trial.step("tilescope view, without what is recommended", *picture, expected=2)
    recommended = re.split(r",\s*", field(package, "Recommends"))
    trial.step("apt-get install " + " ".join(recommended), *INSTALL, *recommended)
    trial.step("tilescope view --screenshot", *picture)
    written = trial.system.folder / "arena.png"
    trial.expect(written.exists() and written.read_bytes().startswith(check_wheel.PNG), "arena.png is no picture")
    error = trial.step("tilescope view, without a display", "tilescope", "view", "gemm_relu.trace", expected=2).stderr
    trial.expect("display" in error, f"without a display tilescope view says: {error}")


def use_desktop(trial):
    """A desktop knows traces, and what opens them."""
    trial.step("apt-get install man-db desktop-file-utils ...", *INSTALL, "man-db", "desktop-file-utils", "shared-mime-info",
               "libglib2.0-bin")
    trial.step("desktop-file-validate", "desktop-file-validate", "/usr/share/applications/tilescope.desktop")
    trial.step("update-mime-database", "update-mime-database", "-V", "/usr/share/mime")
    trial.step("update-desktop-database", "update-desktop-database")
    said = trial.step("gio info gemm_relu.trace", "gio", "info", "-a", "standard::content-type", "gemm_relu.trace").stdout
    trial.expect(MIME in said, f"a trace is taken for: {said}")
    said = trial.step(f"gio mime {MIME}", "gio", "mime", MIME).stdout
    trial.expect("tilescope.desktop" in said, f"a trace is opened by: {said}")
    said = trial.step("man tilescope", "sh", "-c", "MANWIDTH=100 man -P cat tilescope").stdout
    trial.expect("a compiler workbench for tile kernels" in said, f"the manual page says: {said[:400]}")


def build_example(trial, package):
    """Against what is installed, with a compiler and nothing else."""
    shutil.copytree(tree.ROOT / "docs/example_pass", trial.system.folder / "example")
    trial.step("apt-get install tilescope-dev cmake g++ make", *INSTALL, f"./{package.name}", "cmake", "g++", "make")
    trial.step("cmake", "cmake", "-S", "example", "-B", "example/build")
    trial.step("cmake --build", "cmake", "--build", "example/build")
    trial.step("tilescope compile --load", "tilescope", "compile", "example/halves.py:add", "--load",
               "example/build/libexample_pass.so", "--passes", PASSES, "-o", "halves.cu", "--trace", "halves.trace")
    said = trial.step("tilescope show remarks", "tilescope", "show", "remarks", "halves.trace").stdout
    trial.expect("is written out: 2 iterations" in said, f"the remark of the pass is missing:\n{said}")


def remove(trial):
    trial.step("apt-get purge", "apt-get", "purge", "-y", "-qq", "tilescope", "tilescope-dev")
    left = [str(path) for path in (trial.system.root / "usr").rglob("*ilescope*")]
    trial.expect(not left, f"what is left of the packages: {left}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--system", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    program, headers = packages_of(arguments.folder)
    with check_wheel.bare_copy(arguments.system) as system:
        trial = check_wheel.Trial(system)
        for file in (program, headers, tree.ROOT / check_wheel.KERNEL):
            shutil.copy(file, trial.system.folder)
        trial.step("apt-get update", "apt-get", "update", "-qq")
        use_program(trial, program)
        if not trial.findings:
            use_window(trial, program)
            build_example(trial, headers)
            use_desktop(trial)
            remove(trial)
        return trial.findings


if __name__ == "__main__":
    tree.finish("package", main())
