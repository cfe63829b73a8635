#!/usr/bin/env python3
"""TileLang's own examples, recorded as a user records them: each script runs as it stands with TILESCOPE_RECORD set, without a
GPU (`without_gpu.py`), for sm_80 and sm_90a. Of every trace: all views open, statements have a line of the kernel, each line
of the CUDA is of a statement that it speaks of. By hand, with the Python of .peer/; needs nvcc.

usage: check_recorded_programs.py TILESCOPE EXAMPLES [--python PYTHON] [--only NAME ...] [--out FOLDER]

PYTHON: of an environment in which the package is installed beside TileLang; without it, the package of this tree runs in the
Python that runs this."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "tools"))
from check_peer import TARGETS, answers_of  # noqa: E402
from check_recorded import LEAST_LINES, last_state, unmapped  # noqa: E402

# Script, its arguments, how many kernels it compiles, and for which targets.
PROGRAMS = [
    ("quickstart.py", [], 1, TARGETS),
    ("flash_attention/example_mha_fwd_bshd.py", [], 1, TARGETS),
    ("flash_attention/example_mha_bwd_bshd.py", [], 4, TARGETS),
    ("warp_specialize/example_warp_specialize_gemm_copy_0_gemm_1.py", [], 1, ["sm_90a"]),
    ("gemm_splitk/example_tilelang_gemm_splitk.py", [], 1, TARGETS),
    ("deepseek_mla/example_mla_decode.py", [], 1, TARGETS),
    ("gemm/example_gemm_autotune_pass_configs.py", ["--mode", "decorator"], 4, TARGETS),
]


def environment(python, tilescope, scratch, folder, target):
    given = os.environ | {"TILESCOPE_RECORD": str(folder), "TILELANG_CACHE_DIR": str(scratch / "cache"),
                          "TILELANG_DEFAULT_TARGET": json.dumps({"kind": "cuda", "arch": target})}
    if python is None:  # what installing the package does to the start of Python
        site = scratch / "site"
        site.mkdir(exist_ok=True)
        (site / "sitecustomize.py").write_text(f"import site\nsite.addsitedir({str(ROOT / 'python')!r})\n", encoding="utf-8")
        given |= {"PYTHONPATH": str(site), "TILESCOPE_PROGRAMS": str(pathlib.Path(tilescope).resolve().parent)}
    return given


def findings_of(tilescope, trace, kernel, target):
    records = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    statements = {stmt: line for _, stmt, line, _ in last_state(records) if stmt is not None}
    share = sum(map(bool, statements.values())) / max(1, len(statements))
    bad, count = unmapped(records)
    arguments = [f"{parameter['name']}={parameter['value']}" for parameter in records[0]["parameters"]]
    answers, without = answers_of(tilescope, trace, ",".join([kernel, *arguments]), target)
    print(f"  {trace.stem}: lines {share:.1%}, CUDA lines {count - len(bad)} of {count}, {trace.stat().st_size:,} bytes\n"
          f"    {answers}", flush=True)
    findings = [] if statements and share >= LEAST_LINES else [f"{share:.1%} of the statements have a line"]
    findings += [f"CUDA line {number} is not mapped: {line.strip()[:110]}" for number, line in bad]
    # Whether we can compile the kernel too is another question.
    return findings + [f"no answer to: {question}" for question in without if not question.startswith("diff ")]


def check(given, scratch, program, target):
    script, arguments, count, _ = program
    name = f"{pathlib.Path(script).stem}_{target}"
    folder = given.out / name
    subprocess.run(["rm", "-rf", folder], check=True)
    command = [given.python or sys.executable, ROOT / "tests" / "tools" / "without_gpu.py", given.examples / script, *arguments]
    run = subprocess.run(command, cwd=scratch, capture_output=True, text=True,
                         env=environment(given.python, given.tilescope, scratch, folder, target))
    traces = sorted(folder.glob("*.trace"))
    ends = (run.stderr.strip().splitlines() or [""])[-1] if run.returncode else "ends well"
    print(f"{name}: {len(traces)} traces; {ends[:120]}", flush=True)
    findings = [] if len(traces) == count else [f"{len(traces)} traces, not {count}:\n{run.stderr}"]
    findings += [] if f"tilescope: {count} trace" in run.stderr else [f"no table at the end:\n{run.stderr}"]
    for trace in traces:
        kernel = f"{given.examples / script}:{trace.name.partition('-')[0]}"
        findings += [f"{trace.stem}: {finding}" for finding in findings_of(given.tilescope, trace, kernel, target)]
    return [f"{name}: {finding}" for finding in findings]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("--python")
    parser.add_argument("--only", nargs="+", default=[""])
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "recorded")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    findings = []
    with tempfile.TemporaryDirectory() as scratch:
        for program in PROGRAMS:
            for target in program[3] if any(name in program[0] for name in given.only) else ():
                findings += check(given, pathlib.Path(scratch), program, target)
    print("\n".join(findings) or "recorded programs: ok")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
