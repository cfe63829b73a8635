#!/usr/bin/env python3
"""Runs every kernel instance of testdata/kernels on the GPU of this machine and checks the result.

`tilescope run --check` compares each output with the CPU reference of the kernel as written; then the shards of
a timed sweep are merged, a sweep on all GPUs is held against one on the first (points a minute are printed of both), and
a kernel that traps and one that does not end are rows with their errors. Without a GPU this is one visible skip (exit
code 77).

Usage: check_gpu.py TILESCOPE [KERNEL.py...]
"""

import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import kernel_instances
import tree


# A thread does not end where `rounds` is a million, and traps where `least` is above all of A.
FAULTS = """
import tilelang
import tilelang.language as T


@tilelang.jit
def faults(A, rounds: int = 1, least: float = -1e30):
    N = T.const("N")
    A: T.Tensor[[N], T.float32]
    B = T.empty([N], T.float32)

    with T.Kernel(T.ceildiv(N, 128), threads=128) as bx:
        x = T.alloc_fragment((128,), T.float32)
        T.copy(A[bx * 128], x)
        for t in T.Parallel(128):
            T.device_assert(A[bx * 128 + t] > least)
        for i in T.serial(rounds):
            for j in T.serial(rounds):
                for t in T.Parallel(128):
                    x[t] = x[t] * x[t] + 0.25
        T.copy(x, B[bx * 128])
    return B
"""


def has_driver():
    try:
        return ctypes.CDLL("libcuda.so.1").cuInit(0) == 0
    except OSError:
        return False


def count_gpus():
    count = ctypes.c_int(0)
    ctypes.CDLL("libcuda.so.1").cuDeviceGetCount(ctypes.byref(count))
    return count.value


def timed_sweep(tilescope):
    """Yields what is wrong of `sweep --bench --ptxas` in two parts."""
    size = [word for name in "MNK" for word in ("--set", f"{name}=512")]
    with tempfile.TemporaryDirectory() as folder:
        for part in (1, 2):
            subprocess.run([tilescope, "sweep", tree.ROOT / "testdata/kernels/gemm_relu.py:matmul", *size, "--set",
                            "block_M=64,128", "--set", "num_stages=1,2", "--bench", "--ptxas", "--shard", f"{part}/2", "-o",
                            f"{part}.sweep"], cwd=folder)
        merged = subprocess.run([tilescope, "merge", "1.sweep", "2.sweep", "--format", "json"], cwd=folder, capture_output=True,
                                text=True)
    if merged.returncode:
        yield f"sweep --bench: merge exits with {merged.returncode}: {merged.stderr}"
        return
    sweep = json.loads(merged.stdout)
    times = [point.get("medianNs", 0) for point in sweep["points"]]
    print(f"sweep --bench on {sweep.get('gpu')}: {times} ns")
    if len(times) != 4 or min(times) <= 0 or any(point.get("registers", 0) <= 0 for point in sweep["points"]):
        yield f"sweep --bench --ptxas: not all of 4 points have a time and registers: {merged.stdout}"


def sweep_of(tilescope, folder, words, environment=None):
    """The sweep as its JSON, and its seconds; it may have points that failed."""
    started = time.monotonic()
    result = subprocess.run([tilescope, "sweep", *words, "--bench", "--format", "json"], cwd=folder, capture_output=True, text=True,
                            env=environment)
    seconds = time.monotonic() - started
    return (json.loads(result.stdout) if result.returncode in (0, 1) else {"points": [], "said": result.stderr}), seconds


def all_gpus(tilescope):
    """Yields what is wrong of `sweep --bench` on all GPUs: the points of one GPU, each timed."""
    words = [tree.ROOT / "testdata/kernels/gemm_relu.py:matmul", *(word for name in "MNK" for word in ("--set", f"{name}=2048")),
             "--set", "block_M=64,128", "--set", "block_N=64,128", "--set", "block_K=32,64", "--set", "num_stages=1..4"]
    first = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0]
    one, seconds_of_one = sweep_of(tilescope, tree.ROOT, words, os.environ | {"CUDA_VISIBLE_DEVICES": first})
    every, seconds = sweep_of(tilescope, tree.ROOT, words)
    for sweep, number, took in ((one, 1, seconds_of_one), (every, count_gpus(), seconds)):
        points = sweep["points"]
        print(f"sweep --bench on {number} GPU(s): {len(points) * 60 / took:.0f} points a minute, SM MHz "
              f"{sorted({point.get('smMhz', 0) for point in points})}")
        if len(points) != 32 or any(point.get("medianNs", 0) <= 0 for point in points):
            yield f"sweep --bench on {number} GPU(s): not all of 32 points are timed: {sweep}"


def faults(tilescope):
    """Yields what is wrong of points that trap and that do not end: each is a row, and the others are timed."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "faults.py").write_text(FAULTS, encoding="utf-8")
        sweep, _ = sweep_of(tilescope, folder, ["faults.py", "--set", "N=4096", "--set", "rounds=1,10,1000000", "--set",
                                                "least=-1e30,1e30", "--bench-limit", "5"])
    errors = {(point["arguments"]["rounds"], point["arguments"]["least"]): point.get("error", "") for point in sweep["points"]}
    print(f"sweep --bench of faults: {errors}")
    wanted = {(rounds, least) for rounds in (1, 10, 1000000) for least in ("-1e30", "1e30") if rounds > 10 or least == "1e30"}
    if {place for place, error in errors.items() if error} != wanted or len(errors) != 6:
        yield f"sweep --bench of faults: {errors or sweep}"


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
    for check in (timed_sweep, all_gpus, faults):
        findings += check(tilescope)
    print(f"gpu: {len(instances)} instances of {len(kernels)} kernel files")
    tree.finish("gpu", findings)


if __name__ == "__main__":
    main()
