#!/usr/bin/env python3
"""`show sass` with the real nvcc and nvdisasm: each instruction of a product's operands is linked to its statement.

Usage: check_sass.py TILESCOPE
Every HMMA and LDSM of a gemm has a line of the CUDA, and by that a statement and a line of the kernel; an LDSM has a
buffer. Registers and spills are those that nvcc says when it is asked beside it. Exit status 77: there is no nvcc or
no nvdisasm here.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import check_nvcc
import tree

KERNEL = ["testdata/kernels/gemm_relu.py:matmul", "--set", "M=512", "--set", "N=512", "--set", "K=512", "--target", "sm_80"]


def usage_of(tilescope, nvcc, folder):
    """Registers and bytes of spills as `ptxas -v` says them."""
    cuda = pathlib.Path(folder) / "kernel.cu"
    subprocess.run([tilescope, "compile", *KERNEL, "-o", cuda], cwd=tree.ROOT, check=True)
    fast = ["--use_fast_math"] if "--use_fast_math" in cuda.read_text().splitlines()[0] else []
    log = subprocess.run([nvcc, "-arch=sm_80", "-std=c++17", "-lineinfo", "-cubin", *fast, "-Xptxas", "-v", cuda, "-o",
                          f"{cuda}.cubin"], capture_output=True, text=True, check=True)
    text = log.stdout + log.stderr
    registers = int(re.search(r"Used (\d+) registers", text).group(1))
    return registers, *map(int, check_nvcc.SPILL.search(text).groups())


def check_lines(lines, cuda):
    findings = []
    for name, helper in (("HMMA", "mma_"), ("LDSM", "ldmatrix_")):
        instructions = [line for line in lines if f" {name}." in line["text"]]
        if not instructions:
            findings.append(f"sass: no {name} in a product of float16")
        for line in instructions:
            if not all(line.get(key) for key in ("cudaLine", "irLine", "sourceLine")) or "stmt" not in line:
                findings.append(f"sass: an instruction of no statement: {line}")
            elif helper not in cuda[line["cudaLine"] - 1]:
                findings.append(f"sass: {line['text']} is said to be of '{cuda[line['cudaLine'] - 1]}'")
            elif name == "LDSM" and len(line.get("names", [])) != 1:
                findings.append(f"sass: an access of no buffer: {line}")
    return findings


def main():
    tilescope = pathlib.Path(sys.argv[1]).resolve()
    nvcc, nvdisasm = check_nvcc.find_both("sass")
    # One toolkit of the two, wherever each of them is.
    with tempfile.TemporaryDirectory() as folder:
        registers, stores, loads = usage_of(tilescope, nvcc, folder)
        environment = {**os.environ, "PATH": os.pathsep.join([os.environ["PATH"], str(pathlib.Path(nvdisasm).parent)])}
        shown = subprocess.run([tilescope, "show", "sass", *KERNEL, "--format", "json"], cwd=tree.ROOT, env=environment,
                               capture_output=True, text=True, check=True)
        view = json.loads(shown.stdout)
        cuda = (pathlib.Path(folder) / "kernel.cu").read_text().splitlines()
    findings = check_lines(view["lines"], cuda)
    kernel = view["kernels"][0]
    said = kernel["registers"], kernel["spillStoreBytes"], kernel["spillLoadBytes"]
    if said != (registers, stores, loads):
        findings.append(f"sass: registers, spill stores and loads {said}, but ptxas says {(registers, stores, loads)}")
    print(f"sass: {len(view['lines'])} lines with {nvcc} and {nvdisasm}")
    tree.finish("sass", findings)


if __name__ == "__main__":
    main()
