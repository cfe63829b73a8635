#!/usr/bin/env python3
"""torch.compile of a transformer block, recorded: every kernel of Inductor's has a trace and stands in the table at the end, whether
this process compiles or several do, and what is compiled is the same. Needs no GPU, but PyTorch and the Triton of its release, as
PyTorch 2.15 has 3.9; not part of the tests.

usage: check_inductor.py TILESCOPE   with the Python that has both"""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "tests/python/inputs/inductor_program.py"
NAMED = re.compile(r"async_compile\.triton\('(\w+)'")
PROCESSES = (1, 3)


def ran(work, threads, is_recorded, tilescope):
    """(standard error, {name of a kernel: hashes of its cubins}, names in Inductor's code)"""
    name = f"{threads}-{'recorded' if is_recorded else 'plain'}"
    shutil.rmtree(work / "caches", ignore_errors=True)  # the same folder: its path is in what is compiled
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("TILESCOPE", "TORCHINDUCTOR"))}
    environment |= {"TRITON_CACHE_DIR": str(work / "caches/triton"), "TORCHINDUCTOR_CACHE_DIR": str(work / "caches/inductor"),
                    "TRITON_DEFAULT_FP_FUSION": "1", "PYTHONPATH": str(ROOT / "python"),
                    "TILESCOPE_PROGRAMS": str(pathlib.Path(tilescope).resolve().parent)}
    if is_recorded:
        environment["TILESCOPE_RECORD"] = str(work / name / "traces")
    run = subprocess.run([sys.executable, PROGRAM, "--threads", str(threads)], capture_output=True, text=True, env=environment)
    if run.returncode:
        raise SystemExit(f"{name}: {run.stdout}{run.stderr}")
    cubins = {}
    for file in sorted((work / "caches").rglob("*.cubin")):
        cubins.setdefault(file.stem, set()).add(hashlib.sha256(file.read_bytes()).hexdigest())
    code = "".join(file.read_text(encoding="utf-8") for file in (work / "caches/inductor").rglob("*.py"))
    return run.stderr, cubins, set(NAMED.findall(code))


def check(work, threads, tilescope):
    _, plain, _ = ran(work, threads, False, tilescope)
    said, recorded, named = ran(work, threads, True, tilescope)
    traces = sorted((work / f"{threads}-recorded" / "traces").glob("*.trace"))
    rows = {line.split()[0] for line in said.splitlines() if line.startswith("  ") and line.rstrip().endswith(".trace")}
    compiled = sum(map(len, plain.values()))
    print(f"{threads} process(es): {len(named)} kernels, {compiled} compiles, {len(traces)} traces, {len(rows)} kernels in the table")
    if not named:
        yield "Inductor made no kernel"
    if plain != recorded:
        yield "what is compiled is another with the recorder"
    if named != rows:
        yield f"in the table at the end are not: {sorted(named - rows)}; too many: {sorted(rows - named)}"
    if len(traces) != compiled:
        yield f"{len(traces)} traces of {compiled} compiles"
    for trace in traces:
        verdict = subprocess.run([tilescope, "check", trace], capture_output=True, text=True)
        if "arena sound      yes" not in verdict.stdout:
            yield f"{trace.name}: {verdict.stdout}{verdict.stderr}"


def main():
    starts = pathlib.Path(sysconfig.get_paths()["purelib"]) / "tilescope-of-tree.pth"
    starts.write_text((ROOT / "python/tilescope.pth").read_text(encoding="utf-8"), encoding="utf-8")
    try:
        with tempfile.TemporaryDirectory() as work:
            found = [f"{threads} process(es): {one}" for threads in PROCESSES for one in check(pathlib.Path(work), threads, sys.argv[1])]
    finally:
        starts.unlink()
    print("\n".join(found) or "inductor: ok")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
