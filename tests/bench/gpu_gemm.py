#!/usr/bin/env python3
"""GEMM on this machine's GPU: our sm_80 path beside cuBLAS (through PyTorch), in one run.

usage: gpu_gemm.py TILESCOPE [--size 4096]

Prints TFLOP/s of cuBLAS before and after, of each of our tilings, and the best share of cuBLAS.
Needs a GPU and PyTorch; not part of the tests.
"""
import argparse
import json
import subprocess

TILINGS = [
    dict(block_M=128, block_N=128, block_K=32, num_stages=3, threads=128),
    dict(block_M=128, block_N=128, block_K=32, num_stages=4, threads=128),
    dict(block_M=128, block_N=256, block_K=32, num_stages=3, threads=256),
    dict(block_M=128, block_N=256, block_K=64, num_stages=3, threads=256),
    dict(block_M=256, block_N=128, block_K=32, num_stages=3, threads=256),
    dict(block_M=128, block_N=128, block_K=64, num_stages=3, threads=256),
]


def cublas_teraflops(size):
    import torch
    sets = [[torch.randn(size, size, dtype=torch.float16, device="cuda") for _ in range(2)]
            for _ in range(3)]
    times = []
    for run in range(40):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        a, b = sets[run % len(sets)]
        begin.record()
        a @ b
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end))
    return 2 * size**3 / sorted(times[10:])[15] * 1e-9


def our_teraflops(tilescope, size, tiling):
    settings = [part for name, value in dict(tiling, M=size, N=size, K=size).items()
                for part in ("--set", f"{name}={value}")]
    command = [tilescope, "run", "testdata/kernels/gemm_relu.py:matmul", *settings, "--bench",
               "--format", "json"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        return None, result.stderr.strip().splitlines()[-1:]
    time = json.loads(result.stdout)["time"]
    return time["teraflops"], json.loads(result.stdout)["launches"][0]["registers"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("--size", type=int, default=4096)
    options = parser.parse_args()
    before = cublas_teraflops(options.size)
    print(f"cuBLAS before  {before:6.1f} TFLOP/s")
    best = 0
    for tiling in TILINGS:
        teraflops, note = our_teraflops(options.tilescope, options.size, tiling)
        label = " ".join(f"{name}={value}" for name, value in tiling.items())
        print(f"{label}: {f'{teraflops:.1f} TFLOP/s' if teraflops else 'failed'} ({note} registers)")
        best = max(best, teraflops or 0)
    after = cublas_teraflops(options.size)
    print(f"cuBLAS after   {after:6.1f} TFLOP/s")
    print(f"best of ours is {100 * best / max(before, after):.1f} % of cuBLAS")


if __name__ == "__main__":
    main()
