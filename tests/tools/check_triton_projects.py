#!/usr/bin/env python3
"""Kernels of public projects, unmodified, recorded for sm_80 and sm_90 as a user's program is, without a GPU: how many operations have a
line, how many lines of PTX that touch shared memory are mapped, and how many verdicts are decided. Not part of the tests.

usage: ./dev triton projects CHECKOUT...                    which installs what they import into .triton-projects/
       check_triton_projects.py TILESCOPE CHECKOUT...       with the Python of that

A checkout is named as in triton_projects.py. A call that a project of another day refuses is printed, and left out."""

import argparse
import collections
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARCHS = (80, 90)
# By the name of a checkout, where its package is.
FOLDERS = {"Liger-Kernel": "src/liger_kernel", "flash-linear-attention": "fla", "FlagGems": "src/flag_gems"}
# What is imported, and how it is installed.
WANTED = {"torch": "torch", "triton": "triton", "numpy": "numpy", "packaging": "packaging", "einops": "einops", "yaml": "pyyaml",
          "sqlalchemy": "sqlalchemy", "pytest": "pytest"}
LEAST_LINES, LEAST_MAPPED, LEAST_DECIDED = 0.95, 0.95, 0.80


def launch(checkout: pathlib.Path, arch: int):
    """In a process of its own, which is recorded."""
    import tilescope.start  # noqa: F401  what tilescope.pth does where the package is installed
    import triton_without_gpu

    triton_without_gpu.pretend(arch)
    import triton_projects

    sys.path.insert(0, str((checkout / FOLDERS[checkout.name]).parent))
    for name, call in triton_projects.PROJECTS[checkout.name]().items():
        try:
            call()
        except Exception as error:
            print(f"{checkout.name} sm_{arch}: {name}: {type(error).__name__}: {str(error)[:100]!r}", flush=True)


def recorded(tilescope, checkout, arch, folder):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "python"), os.environ.get("PYTHONPATH", "")]),
                                "TILESCOPE_RECORD": str(folder / "traces"), "TRITON_CACHE_DIR": str(folder / "cache"),
                                "GEMS_VENDOR": "nvidia", "TILESCOPE_PROGRAMS": str(pathlib.Path(tilescope).resolve().parent)}
    run = subprocess.run([sys.executable, __file__, tilescope, checkout, "--launch", str(arch)], env=environment,
                         stderr=subprocess.PIPE, text=True)
    if run.returncode:
        raise SystemExit(f"{checkout.name} sm_{arch}: its kernels cannot be launched:\n{run.stderr[-2000:]}")
    # Behind these is the table of what was recorded.
    lost = [line for line in run.stderr.splitlines() if line.startswith("tilescope: ") and " in " + str(folder) not in line]
    print("".join(f"{checkout.name} sm_{arch}: {line}\n" for line in dict.fromkeys(lost)), end="", flush=True)
    return sorted((folder / "traces").glob("*.trace"))


def counted(tilescope, trace, counts):
    from check_triton import share_with_lines
    from tilescope.recorder.triton.emitted import SHARED, is_instruction

    records = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    code = next((record for record in records if record["record"] == "cuda"), None)
    if code is None:
        return  # Triton did not compile it
    mapped = {entry["line"] for entry in code.get("map", ()) if "stmt" in entry}
    touching = [number for number, line in enumerate(code["text"].split("\n"), 1) if is_instruction(line) and SHARED.search(line)]
    said = json.loads(subprocess.run([tilescope, "check", "--format", "json", trace], capture_output=True, text=True).stdout)
    counts["kernels"] += 1
    counts["with lines"] += share_with_lines(trace) >= LEAST_LINES
    counts["touching"] += len(touching)
    counts["mapped"] += len(mapped.intersection(touching))
    for question in ("arenaSound", "hazardFree"):
        counts[question] += said[question] != "not-established"
        if said[question] != "yes":
            print(f"{trace.name}: {question}: {said[question]}")


def lacking(checkouts) -> str:
    """What there has to be before a kernel is compiled; "": nothing."""
    for checkout in checkouts:
        if checkout.name not in FOLDERS or not (checkout / FOLDERS[checkout.name]).is_dir():
            return f"{checkout} is no checkout of one of: {', '.join(FOLDERS)}"
    missing = [package for name, package in WANTED.items() if importlib.util.find_spec(name) is None]
    return f"the projects import what this Python lacks: {sys.executable} -m pip install {' '.join(missing)}" if missing else ""


def is_enough(counts) -> bool:
    return (counts["with lines"] == counts["kernels"] == counts["arenaSound"] and counts["kernels"] > 0
            and counts["mapped"] >= LEAST_MAPPED * counts["touching"] and counts["hazardFree"] >= LEAST_DECIDED * counts["kernels"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tilescope")
    parser.add_argument("checkouts", nargs="+", type=pathlib.Path)
    parser.add_argument("--launch", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.launch:
        launch(given.checkouts[0].resolve(), given.launch)
        return 0
    checkouts = [checkout.resolve() for checkout in given.checkouts]
    if missing := lacking(checkouts):
        print(f"triton projects: {missing}", file=sys.stderr)
        return 2
    sys.path.insert(0, str(ROOT / "python"))
    short = 0
    for checkout in checkouts:
        for arch in ARCHS:
            counts = collections.Counter()
            with tempfile.TemporaryDirectory() as folder:
                for trace in recorded(given.tilescope, checkout, arch, pathlib.Path(folder)):
                    counted(given.tilescope, trace, counts)
            short += not is_enough(counts)
            print(f"{checkout.name} sm_{arch}: {counts['kernels']} kernels, {counts['with lines']} with lines, "
                  f"{counts['mapped']} of {counts['touching']} lines of PTX mapped, arena decided in {counts['arenaSound']}, "
                  f"hazards in {counts['hazardFree']}", flush=True)
    print(f"triton projects: {short} fall short" if short else "triton projects: ok")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
