#!/usr/bin/env python3
"""Runs every kernel instance of testdata/kernels on the GPU of this machine and checks the result.

`tilescope run --check` compares each output with the CPU reference of the kernel as written; then the shards of
a timed sweep are merged. Without a GPU this is one visible skip (exit code 77).

Usage: check_gpu.py TILESCOPE [KERNEL.py...]
"""

import ctypes
import json
import pathlib
import subprocess
import sys
import tempfile

import kernel_instances
import tree


def has_driver():
    try:
        return ctypes.CDLL("libcuda.so.1").cuInit(0) == 0
    except OSError:
        return False


def timed_sweep(tilescope):
    """Yields what is wrong of `sweep --bench` in two parts."""
    size = [word for name in "MNK" for word in ("--set", f"{name}=512")]
    with tempfile.TemporaryDirectory() as folder:
        for part in (1, 2):
            subprocess.run([tilescope, "sweep", tree.ROOT / "testdata/kernels/gemm_relu.py:matmul", *size, "--set",
                            "block_M=64,128", "--set", "num_stages=1,2", "--bench", "--shard", f"{part}/2", "-o", f"{part}.sweep"],
                           cwd=folder)
        merged = subprocess.run([tilescope, "merge", "1.sweep", "2.sweep", "--format", "json"], cwd=folder, capture_output=True,
                                text=True)
    if merged.returncode:
        yield f"sweep --bench: merge exits with {merged.returncode}: {merged.stderr}"
        return
    sweep = json.loads(merged.stdout)
    times = [point.get("medianNs", 0) for point in sweep["points"]]
    print(f"sweep --bench on {sweep.get('gpu')}: {times} ns")
    if len(times) != 4 or min(times) <= 0:
        yield f"sweep --bench: not all of 4 points are timed: {merged.stdout}"


def main():
    if not has_driver():
        print("gpu: skipped, this machine has no CUDA driver or no GPU")
        sys.exit(77)
    tilescope = pathlib.Path(sys.argv[1]).resolve()
    kernels = sys.argv[2:] or kernel_instances.kernel_files()
    instances, findings = kernel_instances.run_instances(kernels)
    instances = [instance for instance in instances if instance.target == "sm_80"]
    for instance in instances:
        command = [tilescope, "run", *instance.arguments, *instance.run_arguments, "--check"]
        result = subprocess.run(command, cwd=tree.ROOT, capture_output=True, text=True)
        checks = [line for line in result.stdout.splitlines() if line.startswith("check")]
        print(f"{result.returncode}  {instance.label}")
        for line in checks:
            print(f"     {line}")
        if result.returncode or not checks:
            findings.append(f"{instance.label}: exit code {result.returncode}\n{result.stderr.strip()}")
    findings += timed_sweep(tilescope)
    print(f"gpu: {len(instances)} instances of {len(kernels)} kernel files")
    tree.finish("gpu", findings)


if __name__ == "__main__":
    main()
