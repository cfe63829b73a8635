#!/usr/bin/env python3
"""TileLang's published GEMM and attention forward on this machine's Hopper GPU, each rung of sm_90a a row, beside the
vendor's libraries (through PyTorch), in one run.

usage: gpu_ladder.py TILESCOPE EXAMPLES [--sizes 4096,8192] [--batch 2] [--length 4096]

EXAMPLES is the folder `examples/` of a checkout of TileLang outside this tree; its files are taken as they are. A row is the
best of the tilings tried, with the tiling; a rung is options of passes. Needs a GPU and PyTorch; not part of the tests.
"""
import argparse
import json
import subprocess

import gpu_attention
import gpu_gemm

TMA = ("inject-pipeline.tma=true",)
STORES = "infer-layouts.tma-stores=true"
ROLES = "inject-pipeline.roles=true"
RUNGS = {
    "mma.sync": ("infer-layouts.wgmma=false",),
    "wgmma": (),
    "and TMA": TMA,
    "and stores by TMA": (*TMA, STORES),
    "and warps that copy": (*TMA, STORES, ROLES),
}
GEMM_RUNGS = RUNGS | {"and tile after tile": (*TMA, STORES, ROLES, "inject-pipeline.blocks=132")}
ATTENTION_RUNGS = RUNGS | {"and products that overlap": (*TMA, STORES, ROLES, "plan-pipeline.overlap-products=true")}
GEMM = "gemm/example_gemm_persistent.py:matmul_non_persistent"
GEMM_TILINGS = [
    dict(block_M=128, block_N=256, block_K=64, num_stages=3, threads=256),
    dict(block_M=128, block_N=256, block_K=64, num_stages=4, threads=256),
    dict(block_M=256, block_N=128, block_K=64, num_stages=3, threads=256),
]
ATTENTION = "flash_attention/example_mha_fwd_bhsd.py:flashattn"
ATTENTION_TILINGS = [
    dict(block_M=128, block_N=128, num_stages=2, threads=256),
    dict(block_M=128, block_N=64, num_stages=2, threads=256),
    dict(block_M=192, block_N=128, num_stages=2, threads=384),
]


def milliseconds(options, kernel, arguments, rung):
    words = [word for name, value in arguments.items() for word in ("--set", f"{name}={value}")]
    words += [word for option in rung for word in ("--pass-option", option)]
    result = subprocess.run([options.tilescope, "run", f"{options.examples}/{kernel}", *words, "--target", "sm_90a", "--bench",
                             "--format", "json"], capture_output=True, text=True)
    if result.returncode:
        print(f"  {arguments}: {result.stderr.strip().splitlines()[-1:]}", flush=True)
        return None
    return json.loads(result.stdout)["time"]["medianMs"]


def climb(options, kernel, shape, tilings, rungs, work):
    for name, rung in rungs.items():
        times = [(milliseconds(options, kernel, {**shape, **tiling}, rung), tiling) for tiling in tilings]
        times = [(time, tiling) for time, tiling in times if time]
        if times:
            time, tiling = min(times, key=lambda one: one[0])
            label = " ".join(f"{name}={value}" for name, value in tiling.items())
            print(f"  {name:26} {work / time * 1e-9:6.1f} TFLOP/s  {label}", flush=True)


def gemm(options, size):
    print(f"GEMM fp16 {size}", flush=True)
    print(f"  {'cuBLAS':26} {gpu_gemm.cublas_teraflops(size):6.1f} TFLOP/s", flush=True)
    climb(options, GEMM, dict(M=size, N=size, K=size), GEMM_TILINGS, GEMM_RUNGS, 2 * size**3)
    print(f"  {'cuBLAS, again':26} {gpu_gemm.cublas_teraflops(size):6.1f} TFLOP/s", flush=True)


def attention(options, causal):
    shape = (options.batch, 32, options.length, 128)
    work = 4 * options.batch * 32 * options.length**2 * 128 // (2 if causal else 1)
    print(f"attention forward, batch {options.batch}, 32 heads, {options.length}, causal={causal}", flush=True)
    rivals = {"FlashAttention-2": "FLASH_ATTENTION", "cuDNN": "CUDNN_ATTENTION"}
    for name, backend in rivals.items():
        print(f"  {name:26} {gpu_attention.rival_teraflops(backend, shape, causal, work):6.1f} TFLOP/s", flush=True)
    arguments = dict(batch=options.batch, heads=32, seq_q=options.length, seq_kv=options.length, dim=128, is_causal=causal)
    climb(options, ATTENTION, arguments, ATTENTION_TILINGS, ATTENTION_RUNGS, work)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("examples")
    parser.add_argument("--sizes", type=lambda text: [int(size) for size in text.split(",")], default=[4096, 8192])
    parser.add_argument("--batch", type=int, default=2)
    parser.add_argument("--length", type=int, default=4096)
    options = parser.parse_args()
    for size in options.sizes:
        gemm(options, size)
    for causal in (False, True):
        attention(options, causal)


if __name__ == "__main__":
    main()
