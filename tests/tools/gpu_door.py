#!/usr/bin/env python3
"""TileLang's examples, as they are written and as TileLang compiled them: what `tilescope exec` makes of the kernel on the
CPU beside what TileLang's CUDA makes of it on this GPU, from the same inputs.

usage: gpu_door.py TILESCOPE EXAMPLES [--only PREFIX ...] [--without-gpu]

EXAMPLES is the folder `examples/` of a checkout outside this tree. Run by hand with a Python that has TileLang, where there
is a GPU; --without-gpu stops before it. A line a kernel: agreement, or the first element that differs. Exit code 1 if one
does."""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
from tilescope import door  # noqa: E402

# Arguments are small: the CPU runs every block.
KERNELS = [
    ("quickstart.py:matmul", "M=256 N=256 K=128 block_M=128 block_N=128 block_K=32"),
    ("gemm/example_gemm.py:matmul", "M=256 N=256 K=256 block_M=128 block_N=128 block_K=32"),
    ("gemm_splitk/example_tilelang_gemm_splitk.py:matmul", "M=256 N=256 K=512 block_M=128 block_N=128 block_K=32 split_k=4"),
    ("elementwise/example_elementwise_add.py:elementwise_add",
     "M=256 N=256 block_M=32 block_N=32 in_dtype='float32' out_dtype='float32' threads=128"),
    ("flash_attention/example_mha_fwd_bshd.py:flashattn",
     "batch=1 heads=2 seq_len=256 dim=64 is_causal=True block_M=64 block_N=64 num_stages=1 threads=128"),
    ("flash_attention/example_mha_fwd_bhsd.py:flashattn",
     "batch=1 heads=2 seq_q=128 seq_kv=256 dim=64 is_causal=False block_M=64 block_N=64 num_stages=1 threads=128"),
    ("flash_attention/example_gqa_fwd_bshd.py:flashattn",
     "batch=1 heads=4 seq_len=256 dim=64 is_causal=True groups=2 block_M=64 block_N=64 num_stages=1 threads=128"),
    ("flash_attention/example_mha_bwd_bshd.py:flashattn_bwd_preprocess", "batch=1 heads=2 seq_len=128 dim=64"),
    ("flash_attention/example_mha_bwd_bshd.py:flashattn_bwd",
     "batch=1 heads=2 seq_len=128 dim=64 is_causal=False block_M=64 block_N=64"),
    ("norm/rms_norm.py:rms_norm", "M=256 N=512 blk_m=1"),
    ("gemv/example_gemv.py:naive_gemv", "N=256 K=256 BLOCK_N=128 BLOCK_K=128"),
    ("gemv/example_gemv.py:splitk_gemv", "N=128 K=256 BLOCK_N=8 BLOCK_K=64 reduce_threads=8"),
    ("linear_attention/example_mamba_chunk_state.py:chunk_state_fwd",
     "batch=1 seqlen=256 chunk_size=128 ngroups=1 nheads=2 headdim=64 dstate=64 block_M=64 block_N=64 block_K=64"),
    ("cast/example_per_token_cast_to_fp8.py:per_token_cast_to_fp8", "M=64 N=256 blk_m=8"),
]
# Of the root mean square of an output: how far rounding may take an element.
TOLERANCES = {"float16": 0.02, "bfloat16": 0.04, "float32": 0.005}
DEFAULT_TOLERANCE = 0.08


def parameters_of(text):
    """Names in order, of our IR text."""
    head = text[text.index("\ndef "):]
    return re.findall(r"(?m)^    (\w+): ", head[:head.index("\n):")])


def executed(tilescope, text, folder):
    """What went wrong; None: the tensors are in the folder."""
    path = folder / "kernel.ir"
    path.write_text(text, encoding="utf-8")
    command = [tilescope, "exec", path, "--seed", "1", "--save", folder]
    result = subprocess.run(command, capture_output=True, text=True)
    return None if result.returncode == 0 else (result.stdout + result.stderr).strip()


def tensors_of(function, names, folder):
    """On the GPU, in the order of the parameters, and the types that they have."""
    import torch

    tensors, types = [], []
    for parameter, name in zip(function.params, names):
        buffer = function.buffer_map[parameter]
        types.append(str(buffer.dtype))
        loaded = torch.from_numpy(numpy.load(folder / f"{name}.before.npy")).clone().view(getattr(torch, types[-1]))
        tensors.append(loaded.reshape([int(extent) for extent in buffer.shape]).cuda())
    return tensors, types


def difference(got, wanted, dtype):
    """"": none."""
    import torch

    got = got.float().cpu().numpy().reshape(wanted.shape)
    wanted = torch.from_numpy(wanted).view(getattr(torch, dtype)).float().numpy()
    scale = numpy.sqrt(numpy.nanmean(wanted.astype(numpy.float64)**2)) or 1
    wrong = (numpy.abs(got - wanted) > TOLERANCES.get(dtype, DEFAULT_TOLERANCE) * scale) | (numpy.isnan(got) != numpy.isnan(wanted))
    if not wrong.any():
        return ""
    index = tuple(int(at[0]) for at in wrong.nonzero())
    return f"{list(index)} is {got[index]} on the GPU, as written it is {wanted[index]}; {int(wrong.sum())} elements differ"


def compare(kernel, arguments, names, folder):
    import tilelang

    made = door.kernel_in_file(kernel, "sm_90a")
    made = getattr(made, "jit_impl", made)
    function = made.get_tir(**arguments)
    compiled = tilelang.compile(function, target="cuda", pass_configs=getattr(made, "pass_configs", None))
    tensors, types = tensors_of(function, names, folder)
    # What an eager kernel returns is not given to it.
    returned = sorted(door.outputs_of(function, None))
    results = compiled(*(tensor for at, tensor in enumerate(tensors) if at not in returned))
    for at, tensor in zip(returned, results if isinstance(results, (list, tuple)) else [results]):
        tensors[at] = tensor
    texts = []
    for name, tensor, dtype in zip(names, tensors, types):
        after = folder / f"{name}.after.npy"
        if after.exists() and (text := difference(tensor, numpy.load(after), dtype)):
            texts.append(name + text)
    return "; ".join(texts)


def check(given, kernel, words):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        arguments = door.settings(words.split())
        text = door.lower(door.kernel_in_file(kernel), **arguments)
        if why := executed(given.tilescope, text, folder):
            return f"not run on the CPU: {why}"
        return "" if given.without_gpu else compare(kernel, arguments, parameters_of(text), folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope", type=pathlib.Path)
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", default=[""])
    parser.add_argument("--without-gpu", action="store_true")
    given = parser.parse_args()
    given.tilescope = given.tilescope.resolve()
    wrong = 0
    for kernel, words in KERNELS:
        if not any(kernel.startswith(only) for only in given.only):
            continue
        try:
            text = check(given, str(given.examples.resolve() / kernel), words)
        except Exception as error:  # of the example, of TileLang or of the door: each is a line
            text = f"{type(error).__name__}: {str(error).strip().splitlines()[-1] if str(error) else ''}"
        wrong += bool(text)
        print(f"{kernel} {words}: {text or ('runs on the CPU' if given.without_gpu else 'agrees')}", flush=True)
    print(f"{len(KERNELS)} kernels, {wrong} without agreement{', nothing compared' if given.without_gpu else ''}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
