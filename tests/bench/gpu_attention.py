#!/usr/bin/env python3
"""Attention forward on this machine's GPU: our sm_80 path beside FlashAttention-2 and cuDNN
(through PyTorch), in one run.

usage: gpu_attention.py TILESCOPE [--batch 8 --heads 32 --length 4096 --dim 128] [--first N]
       [--mask none|causal|both]

Prints TFLOP/s, causal and not, of both rivals before and after and of each of our tilings; work
is 4 * batch * heads * length^2 * dim, and half of it when causal. Needs a GPU and PyTorch; not
part of the tests.
"""
import argparse
import json
import subprocess

# The best of an H200 first.
TILINGS = [
    dict(block_M=128, block_N=64, num_stages=1, threads=128),
    dict(block_M=128, block_N=64, num_stages=2, threads=128),
    dict(block_M=128, block_N=64, num_stages=1, threads=256),
    dict(block_M=128, block_N=128, num_stages=2, threads=256),
    dict(block_M=128, block_N=128, num_stages=2, threads=128),
    dict(block_M=128, block_N=128, num_stages=1, threads=128),
    dict(block_M=128, block_N=128, num_stages=1, threads=256),
    dict(block_M=128, block_N=64, num_stages=2, threads=256),
    dict(block_M=128, block_N=32, num_stages=2, threads=256),
    dict(block_M=64, block_N=64, num_stages=1, threads=128),
    dict(block_M=64, block_N=64, num_stages=2, threads=128),
]


def rival_teraflops(backend, shape, causal, work):
    import torch
    from torch.nn.attention import SDPBackend, sdpa_kernel
    sets = [[torch.randn(shape, dtype=torch.float16, device="cuda") for _ in range(3)]
            for _ in range(2)]
    times = []
    with sdpa_kernel(getattr(SDPBackend, backend)):
        for run in range(30):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            q, k, v = sets[run % len(sets)]
            begin.record()
            torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
            end.record()
            torch.cuda.synchronize()
            times.append(begin.elapsed_time(end))
    return work / sorted(times[10:])[10] * 1e-9


def our_teraflops(options, causal, tiling, work):
    arguments = dict(tiling, batch=options.batch, heads=options.heads, length=options.length,
                     dim=options.dim, causal=str(causal).lower())
    settings = [part for name, value in arguments.items() for part in ("--set", f"{name}={value}")]
    command = [options.tilescope, "run", "testdata/kernels/attention_fwd.py:attention", *settings,
               "--bench", "--format", "json"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        return None, result.stderr.strip().splitlines()[-1:]
    answer = json.loads(result.stdout)
    return work / answer["time"]["medianMs"] * 1e-9, answer["launches"][0]["registers"]


def compare(options, causal):
    work = 4 * options.batch * options.heads * options.length**2 * options.dim
    work = work // 2 if causal else work
    shape = (options.batch, options.heads, options.length, options.dim)
    rivals = {"FlashAttention-2": "FLASH_ATTENTION", "cuDNN": "CUDNN_ATTENTION"}
    figures = {name: [rival_teraflops(backend, shape, causal, work)]
               for name, backend in rivals.items()}
    best = 0
    print(f"\ncausal={causal}")
    for tiling in TILINGS[:options.first]:
        teraflops, note = our_teraflops(options, causal, tiling, work)
        label = " ".join(f"{name}={value}" for name, value in tiling.items())
        print(f"{label}: {f'{teraflops:.1f} TFLOP/s' if teraflops else 'failed'} ({note} registers)")
        best = max(best, teraflops or 0)
    for name, backend in rivals.items():
        figures[name].append(rival_teraflops(backend, shape, causal, work))
        before, after = figures[name]
        print(f"{name}: {before:.1f} and {after:.1f} TFLOP/s; best of ours is "
              f"{100 * best / max(before, after):.1f} % of it")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--heads", type=int, default=32)
    parser.add_argument("--length", type=int, default=4096)
    parser.add_argument("--dim", type=int, default=128)
    parser.add_argument("--first", type=int, default=len(TILINGS), help="tilings to time")
    parser.add_argument("--mask", choices=["none", "causal", "both"], default="both")
    options = parser.parse_args()
    for causal in (False, True):
        if options.mask in ("both", "causal" if causal else "none"):
            compare(options, causal)


if __name__ == "__main__":
    main()
