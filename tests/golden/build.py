#!/usr/bin/env python3
"""Compiles the golden kernels for sm_90a, one cubin a variant.

usage: build.py FOLDER [VARIANT...]

A warning is an error: that ptxas puts wgmma in a row (C7510 to C7519) or ignores setmaxnreg (C7508) above all. So is a
spill. FOLDER/NAME.cubin is written, JOBS (of the environment, else 2) at a time; needs nvcc, no GPU.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

import variants

HERE = pathlib.Path(__file__).resolve().parent
SPILLS = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")


def find_nvcc():
    for home in filter(None, [os.environ.get("CUDA_HOME"), "/usr/local/cuda"]):
        if os.access(f"{home}/bin/nvcc", os.X_OK):
            return f"{home}/bin/nvcc"
    return shutil.which("nvcc")


def run_nvcc(nvcc, variant, cubin):
    macros = [f"-D{name}={value}" for name, value in variant.macros.items()]
    return subprocess.run(
        [nvcc, "-std=c++17", "-gencode", "arch=compute_90a,code=sm_90a", "-cubin", "-Werror", "all-warnings",
         "-Xptxas", "-v", *macros, HERE / f"{variant.source}.cu", "-o", cubin], capture_output=True, text=True)


def compile_variant(nvcc, variant, cubin):
    """What is wrong with it, in words; empty when nothing is."""
    built = run_nvcc(nvcc, variant, cubin)
    output = built.stdout + built.stderr
    if built.returncode or re.search(r"warning|C75\d\d", output):
        return f"{variant.name}: {output.strip()[:4000]}"
    spills = [match.group(0) for match in SPILLS.finditer(output) if match.groups() != ("0", "0", "0")]
    return f"{variant.name}: {'; '.join(spills)}" if spills else ""


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    nvcc = find_nvcc()
    if not nvcc:
        sys.exit("build.py: no nvcc in CUDA_HOME, /usr/local/cuda or PATH")
    chosen = [variants.ALL[name] for name in sys.argv[2:]] or variants.ALL.values()
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        jobs = [pool.submit(compile_variant, nvcc, variant, folder / f"{variant.name}.cubin") for variant in chosen]
        findings = [job.result() for job in jobs]
    for finding in filter(None, findings):
        print(finding)
    print(f"{len(findings)} kernels, {sum(map(bool, findings))} with findings")
    sys.exit(1 if any(findings) else 0)


if __name__ == "__main__":
    main()
