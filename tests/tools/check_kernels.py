#!/usr/bin/env python3
"""What must hold of every kernel instance of testdata/kernels, for every target, without a GPU.

The CUDA is byte for byte the same with and without a trace, and no line of it is over 120 columns.

Usage: check_kernels.py TILESCOPE [KERNEL.py...]
"""

import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

import kernel_instances
import tree

MAX_COLUMNS = 120


def run(*command):
    return subprocess.run(command, cwd=tree.ROOT, capture_output=True, text=True)


def check_columns(cuda, label):
    for number, line in enumerate(cuda.read_text().splitlines(), 1):
        if len(line) > MAX_COLUMNS:
            yield f"{label}: emitted line {number} has {len(line)} columns, the limit is {MAX_COLUMNS}"


def check_instance(tilescope, instance, folder):
    here = pathlib.Path(tempfile.mkdtemp(dir=folder))
    plain, traced, trace = here / "plain.cu", here / "traced.cu", here / "k.trace"
    for command in [[*instance.arguments, "-o", plain], [*instance.arguments, "-o", traced, "--trace", trace]]:
        result = run(tilescope, "compile", *command)
        if result.returncode:
            return [f"{instance.label}: tilescope exits with {result.returncode}\n{result.stderr.strip()}"]
    findings = list(check_columns(plain, instance.label))
    if plain.read_bytes() != traced.read_bytes():
        findings.append(f"{instance.label}: recording a trace changes the CUDA")
    return findings


def main():
    tilescope = pathlib.Path(sys.argv[1]).resolve()
    kernels = sys.argv[2:] or kernel_instances.kernel_files()
    instances, findings = kernel_instances.all_instances(kernels)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(check_instance, tilescope, instance, folder) for instance in instances]
        for job in jobs:
            findings += job.result()
    print(f"kernels: {len(instances)} instances of {len(kernels)} kernel files")
    tree.finish("kernels", findings)


if __name__ == "__main__":
    main()
