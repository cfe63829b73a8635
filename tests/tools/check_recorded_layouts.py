#!/usr/bin/env python3
"""What traces of TileLang's own compiler say of layouts, pipelined loops and launches. Run by `./dev peer` with the Python
of .peer/, where TileLang is installed.

Usage: check_recorded_layouts.py TILESCOPE"""

import json
import pathlib
import subprocess
import sys
import tempfile

import check_peer

KERNELS = {
    "gemm": "testdata/kernels/gemm_relu.py:matmul,M=1024,N=1024,K=1024",
    "attention": "testdata/kernels/attention_fwd.py:attention,heads=2,length=384,num_stages=2",
}
TARGETS = ("sm_80", "sm_90a")
OURS = ("row_major", "padded(", "swizzle(", "fragment(")
# Buffers, and loops of the last state, by kernel and target: the loop, or that of each of two roles.
LAYOUTS = {"gemm": 3, "attention": 12}
LOOPS = {"sm_80": 1, "sm_90a": 2}


def states_of(path):
    """{pass: {kind of record: the last}}"""
    last, states = {}, {}
    for record in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        last[record["record"]] = record
        if record["record"] == "passEnd":
            states[record["name"]] = dict(last)
    return states, last


def is_laid_out(buffer):
    return buffer["scope"] in ("shared.dyn", "local.fragment")


def findings_of(name, target, path):
    states, last = states_of(path)
    inferred = [b for b in states["tl.LayoutInference"]["buffers"]["buffers"] if is_laid_out(b)]
    final = {buffer["id"]: buffer for buffer in last["buffers"]["buffers"]}
    known = [buffer for buffer in inferred if buffer.get("layout", "").startswith(OURS)]
    print(f"{path.stem}: {len(known)} of {len(inferred)} layouts are of our forms")
    findings = [f"'{b['name']}' has no layout" for b in inferred if not b.get("layout")]
    findings += [] if len(known) == LAYOUTS[name] else [f"{len(known)} layouts of our forms"]
    for buffer in inferred:
        later = final.get(buffer["id"], {})
        if later.get("layout") != buffer.get("layout"):
            findings.append(f"'{buffer['name']}' loses its layout")
        is_shared = buffer["scope"] == "shared.dyn"
        if is_shared and any(later.get(part) != buffer.get(part) for part in ("shape", "versions", "sizeBytes")):
            findings.append(f"'{buffer['name']}' changes its shape or size")
    loops = last["pipelines"]["pipelines"]
    findings += [] if len(loops) == LOOPS[target] else [f"{len(loops)} pipelined loops"]
    launch = last["launches"]["launches"][0]
    wanted = ["dynamicSharedBytes", "params", *(["roleRegisters", "staticSharedBytes"] if target == "sm_90a" else [])]
    return findings + [f"the launch has no {key}" for key in wanted if key not in launch]


def stages_of(tilescope, path, target):
    run = subprocess.run([tilescope, "show", "stages", path], capture_output=True, text=True)
    wanted = ["role 1 of 2", "waits for mbarrier"] if target == "sm_90a" else ["prologue", "commits"]
    missing = [words for words in wanted if words not in run.stdout]
    return [f"`show stages` has no '{words}'" for words in missing] + ([run.stderr] if run.returncode else [])


def main():
    tilescope, findings = sys.argv[1], []
    with tempfile.TemporaryDirectory() as folder:
        for name, kernel in KERNELS.items():
            for target in TARGETS:
                path = pathlib.Path(folder) / f"{name}_{target}.trace"
                check_peer.record(kernel, target, path)
                found = findings_of(name, target, path) + stages_of(tilescope, path, target)
                findings += [f"{path.stem}: {finding}" for finding in found]
    print("\n".join(findings) or "recorded layouts: ok")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
