#!/usr/bin/env python3
"""What must hold of every kernel instance of testdata/kernels, for every target, without a GPU.

The CUDA is byte for byte the same with and without a trace, no line of it is over 120 columns, it reaches shared memory
only through names of the buffers that the IR names (and broken variants of it are found out), and the plan is proven
to be of the least height.

Usage: check_kernels.py TILESCOPE [KERNEL.py...]
"""

import concurrent.futures
import copy
import pathlib
import subprocess
import sys
import tempfile

import kernel_instances
import shared_names
import trace_file
import tree

MAX_COLUMNS = 120


def run(*command):
    return subprocess.run(command, cwd=tree.ROOT, capture_output=True, text=True)


def check_columns(cuda):
    for number, line in enumerate(cuda.read_text().splitlines(), 1):
        if len(line) > MAX_COLUMNS:
            yield f"emitted line {number} has {len(line)} columns, the limit is {MAX_COLUMNS}"


def check_shared_names(trace):
    yield from shared_names.SharedNames(trace).findings
    for what, text in shared_names.plant(trace):
        broken = copy.copy(trace)
        broken.cuda = {"text": text, "map": trace.cuda["map"]}
        if not shared_names.SharedNames(broken).findings:
            yield f"nobody notices {what} in the CUDA"


def check_proofs(trace):
    for arena in trace.arenas:
        certificate = arena["plan"]["certificate"]
        if certificate.get("kind", "gap") == "gap":
            yield (f"the plan of {arena['function']} is not proven optimal: {arena['plan'].get('heightBytes', 0)} bytes, "
                   f"bound {certificate.get('boundBytes', 0)}")


def check_instance(tilescope, instance, folder):
    """(findings, broken variants planted)"""
    here = pathlib.Path(tempfile.mkdtemp(dir=folder))
    plain, traced, path = here / "plain.cu", here / "traced.cu", here / "k.trace"
    for command in [[*instance.arguments, "-o", plain], [*instance.arguments, "-o", traced, "--trace", path]]:
        result = run(tilescope, "compile", *command)
        if result.returncode:
            return [f"{instance.label}: tilescope exits with {result.returncode}\n{result.stderr.strip()}"], 0
    trace = trace_file.TraceFile(path)
    findings = [*check_columns(plain), *check_shared_names(trace), *check_proofs(trace)]
    if plain.read_bytes() != traced.read_bytes():
        findings.append("recording a trace changes the CUDA")
    return [f"{instance.label}: {finding}" for finding in findings], len(list(shared_names.plant(trace)))


def main():
    tilescope = pathlib.Path(sys.argv[1]).resolve()
    kernels = sys.argv[2:] or kernel_instances.kernel_files()
    instances, findings = kernel_instances.all_instances(kernels)
    planted = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(check_instance, tilescope, instance, folder) for instance in instances]
        for job in jobs:
            found, count = job.result()
            findings += found
            planted += count
    print(f"kernels: {len(instances)} instances of {len(kernels)} kernel files; {planted} broken variants of their CUDA")
    tree.finish("kernels", findings)


if __name__ == "__main__":
    main()
