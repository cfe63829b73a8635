#!/usr/bin/env python3
"""Kernels of public projects, unmodified, recorded for sm_80 and sm_90 as a user's program is, without a GPU: how many operations have a
line, how many lines of PTX that touch shared memory are mapped, and how many verdicts are decided. Not part of the tests.

usage: check_triton_projects.py TILESCOPE CHECKOUT...   with a Python that has PyTorch, its Triton, and what the projects import

A checkout is named as in triton_projects.py. A call that a project of another day refuses is printed, and left out."""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARCHS = (80, 90)
LEAST_LINES, LEAST_MAPPED, LEAST_DECIDED = 0.95, 0.95, 0.80


def launch(checkout: pathlib.Path, arch: int):
    """In a process of its own, which is recorded."""
    import tilescope.start  # noqa: F401  what tilescope.pth does where the package is installed
    import triton_without_gpu

    triton_without_gpu.pretend(arch)
    import triton_projects

    folder, calls = triton_projects.PROJECTS[checkout.name]
    sys.path.insert(0, str(checkout / folder))
    for name, call in calls().items():
        try:
            call()
        except Exception as error:
            print(f"{checkout.name} sm_{arch}: {name}: {type(error).__name__}: {str(error)[:100]!r}", flush=True)


def recorded(tilescope, checkout, arch, folder):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "python"), os.environ.get("PYTHONPATH", "")]),
                                "TILESCOPE_RECORD": str(folder / "traces"), "TRITON_CACHE_DIR": str(folder / "cache"),
                                "GEMS_VENDOR": "nvidia", "TILESCOPE_PROGRAMS": str(pathlib.Path(tilescope).resolve().parent)}
    subprocess.run([sys.executable, __file__, tilescope, checkout, "--launch", str(arch)], env=environment,
                   stderr=subprocess.DEVNULL, check=True)
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
    sys.path.insert(0, str(ROOT / "python"))
    lacking = 0
    for checkout in given.checkouts:
        for arch in ARCHS:
            counts = collections.Counter()
            with tempfile.TemporaryDirectory() as folder:
                for trace in recorded(given.tilescope, checkout, arch, pathlib.Path(folder)):
                    counted(given.tilescope, trace, counts)
            lacking += not is_enough(counts)
            print(f"{checkout.name} sm_{arch}: {counts['kernels']} kernels, {counts['with lines']} with lines, "
                  f"{counts['mapped']} of {counts['touching']} lines of PTX mapped, arena decided in {counts['arenaSound']}, "
                  f"hazards in {counts['hazardFree']}", flush=True)
    print(f"triton projects: {lacking} fall short" if lacking else "triton projects: ok")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
