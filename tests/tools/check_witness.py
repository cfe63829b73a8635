#!/usr/bin/env python3
"""Runs emitted CUDA on the CPU and compares it with the executor; then breaks it, which must be found.

Usage: check_witness.py TILESCOPE [KERNEL.py...]
Without KERNEL.py, and without TILESCOPE_LONG in the environment (`./dev test --long`), a handful of kernels at small
sizes; else every instance, for one of its targets. Exit status 77: there is no clang++ here.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import kernel_instances
import tree

SKIP = 77

# One a primitive: swizzles, ldmatrix with and without .trans, each mma, cp.async, shuffles, votes, atomics, static shared
# memory.
HANDFUL = [
    "gemm_relu.py:matmul --set M=128 --set N=128 --set K=96",
    "gemm_operands.py:matmul --set dtype=int8 --set accum_dtype=int32 --set trans_A=true --set trans_B=false",
    "gemm_operands.py:matmul --set dtype=float32 --set trans_A=true --set trans_B=false --set block_N=24 --set threads=64",
    "attention_fwd.py:attention --set batch=1 --set heads=1 --set length=100 --set dim=64 --set causal=true",
    "gemm_splitk.py:matmul --set M=128 --set N=128 --set K=256",
    "reductions.py:rms_norm --set M=4 --set N=1024",
    "reductions.py:prefix_sum --set N=128",
    "warp_scan.py:warp_scan --set rows=2 --set columns=256",
    "block_votes.py:block_histogram --set n=300 --set bins=5 --set threads=96",
    "prefix_by_some.py:prefix_by_some --set rows=2",
    "grid_sum.py:grid_sum --set blocks=3 --set length=700 --set threads=64",
]

# What core/witness/README.md says that it does not run.
NOT_RUN = "its blocks reach each other's shared memory"

GEMM = "gemm_relu.py:matmul --set M=128 --set N=128 --set K=96"
ATTENTION = "attention_fwd.py:attention --set batch=1 --set heads=1 --set length=128 --set dim=64"
PREFIX = "prefix_by_some.py:prefix_by_some --set rows=2"
GRID = "grid_sum.py:grid_sum --set blocks=3 --set length=700 --set threads=64"
FLOAT4 = "../../tests/exec/inputs/orders.py:stored_as_float4"

# (what is wrong, kernel, pattern, replacement)
PLANTED = [
    ("swizzle on one side", GEMM, r"&A_shared_k\[A_shared_at\((.*), (.*)\)\]\);", r"&A_shared_k[(\1) * 32 + (\2)]);"),
    ("swizzle of another tile on one side", GEMM, r"(&B_shared_k\[)B_shared_at\(", r"\1A_shared_at("),
    ("swizzle that is no permutation", GEMM, r"\(col / PerChunk % Chunks\) \^", "(col / PerChunk % Chunks) |"),
    ("panels of a swizzle on each other", GEMM, r"panel \* Rows", "panel * (Rows / 2)"),
    ("ldmatrix without its .trans", GEMM, r"x4\.trans\.shared", "x4.shared"),
    ("ldmatrix of too few matrices", GEMM, r"m8n8\.x4\.trans", "m8n8.x2.trans"),
    ("operands of mma exchanged", GEMM, r"\{%4, %5, %6, %7\}", "{%5, %4, %6, %7}"),
    ("accumulator of mma only written", GEMM, r'"\+f"\(c\[0\]\)', '"=f"(c[0])'),
    ("wait for one group less", GEMM, r"cp_async_wait<(\d)>", lambda match: f"cp_async_wait<{int(match.group(1)) + 1}>"),
    ("wait that waits for nothing", GEMM, r"cp\.async\.wait_group %0;", "cp.async.wait_group 9;"),
    ("copies without a commit", GEMM, r"\n  *cp_async_commit\(\);", "\n"),
    ("cp.async of half the bytes", GEMM, r"predicate \? Bytes : 0", "predicate ? Bytes / 2 : 0"),
    ("barrier dropped", GEMM, r"__syncthreads\(\);", ";"),
    ("barrier of a part of the block", GEMM, r"__syncthreads\(\);", "if (threadIdx.x < 64) __syncthreads();"),
    ("barrier of some threads dropped", PREFIX, r"barrier_sync\(1, 64\);", ";"),
    ("barrier of more threads than come", PREFIX, r"barrier_sync\(1, 64\);", "barrier_sync(1, 96);"),
    ("barrier that does not wait", PREFIX, r"bar\.sync", "bar.arrive"),
    ("barrier of the grid dropped", GRID, r"grid_sync\(\);\n", ";\n"),
    ("barrier of the grid for one block", GRID, r"( *)grid_sync\(\);\n", r"\1if (block == 0) grid_sync();\n"),
    ("predicate dropped", "gemm_relu.py:matmul --set M=100 --set N=100 --set K=96", r" && bx \* 128 \+ col < 100", ""),
    ("index of the arena", GEMM, r"arena \+ 0\)", "arena + 16)"),
    ("arena that is too small for it", GEMM, r"arena \+ (\d{4,})\)", r"arena + \1 + 65536)"),
    ("address that is not aligned", GEMM, r"arena \+ 0\)", "arena + 8)"),
    ("register array that is too short", GEMM, r"alignas\(16\) float (\w+)\[128\]", r"alignas(16) float \1[120]"),
    ("shuffle of the wrong lane", ATTENTION, r"(__shfl_xor_sync\(0xffffffffu, [^;]*), 1\)", r"\1, 4)"),
    ("shuffle of half a warp", ATTENTION, r"__shfl_xor_sync\(0xffffffffu", "__shfl_xor_sync(0x0000ffffu"),
    ("accumulator that starts with something", ATTENTION, r"row_max\[r\] = float\(-Infinity\);", ";"),
    ("low bits of an integer in place of an e2m1 code", FLOAT4, r"encode_f4\((\w+\[\w+\])\)", r"int(\1)"),
    ("tensor read behind its end", ATTENTION, r"&K\[", "&K[8192 + "),
]


def run_exec(tilescope, arguments, *options):
    """(exit code, the lines of both runs of the CUDA and what is said of them, all output)"""
    result = subprocess.run([tilescope, "exec", *arguments, "--witness", *options], cwd=tree.ROOT, capture_output=True,
                            text=True)
    output = result.stdout + result.stderr
    begin = output.find("\ncuda ")
    return result.returncode, output[begin:].split("\n")[1:] if begin >= 0 else [], output


def kernel_arguments(line):
    return ["testdata/kernels/" + line.split()[0], *line.split()[1:]]


def check_agrees(tilescope, label, arguments):
    code, lines, output = run_exec(tilescope, arguments)
    runs = [line for line in lines if line.startswith("cuda")]
    print(f"{code}  {label}: {'; '.join(' '.join(line.split()) for line in runs)}", flush=True)
    if NOT_RUN in output:
        return
    if code or len(runs) != 2:
        yield f"{label}: exit code {code}\n{output[:4000]}"


def check_planted(tilescope, folder):
    texts = {}
    for name, kernel, pattern, replacement in PLANTED:
        arguments = kernel_arguments(kernel)
        if kernel not in texts:
            compiled = subprocess.run([tilescope, "compile", *arguments, "-o", "-"], cwd=tree.ROOT, capture_output=True,
                                      text=True, check=True)
            texts[kernel] = compiled.stdout
        broken = re.sub(pattern, replacement, texts[kernel])
        if broken == texts[kernel]:
            yield f"planted: {name}: nothing to break in the text of {kernel}"
            continue
        path = pathlib.Path(folder) / "broken.cu"
        path.write_text(broken)
        code, lines, output = run_exec(tilescope, arguments, "--cuda", path)
        print(f"{code}  planted: {name}: {' '.join(' '.join(lines).split())[:200]}", flush=True)
        if code != 1 or not any("WRONG" in line or "not run" in line for line in lines):
            yield f"planted: {name}: not found\n{output[:2000]}"


def main():
    if not shutil.which("clang++-19") and not shutil.which("clang++"):
        print("witness: skipped, there is no clang++")
        sys.exit(SKIP)
    tilescope = pathlib.Path(sys.argv[1]).resolve()
    findings = []
    if sys.argv[2:] or os.environ.get("TILESCOPE_LONG"):
        instances, findings = kernel_instances.run_instances(sys.argv[2:] or kernel_instances.kernel_files())
        chosen = [(instance.label, [*instance.arguments, *instance.run_arguments])
                  for instance in kernel_instances.one_target_each(instances)]
    else:
        chosen = [(line, kernel_arguments(line)) for line in HANDFUL]
    for label, arguments in chosen:
        findings += check_agrees(tilescope, label, arguments)
    if not sys.argv[2:]:
        with tempfile.TemporaryDirectory() as folder:
            findings += check_planted(tilescope, folder)
    tree.finish("witness", findings)


if __name__ == "__main__":
    main()
