#!/usr/bin/env python3
"""TileLang's examples, as they are written and as TileLang compiled them: what `tilescope exec` makes of the kernel on the
CPU beside what TileLang's CUDA makes of it on this GPU, from the same inputs.

usage: gpu_door.py TILESCOPE EXAMPLES [--csv FILE] [--only PREFIX ...] [--without-gpu] [--seconds N] [-j JOBS]

EXAMPLES is the folder `examples/` of a checkout outside this tree. Run by hand with a Python that has TileLang, where there
is a GPU; --without-gpu stops before it. A line a kernel: agreement, or the first element that differs. With --csv: every
instance of that list (corpus_rows.py), at the first small size that runs, on inputs that make sense for it; there a kernel
that one of both does not run is a line too, and no disagreement. Exit code 1 if one disagrees."""

import argparse
import collections
import concurrent.futures
import pathlib
import re
import sys
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
import corpus_inputs  # noqa: E402
import corpus_rows  # noqa: E402
import corpus_sizes  # noqa: E402
import corpus_stages  # noqa: E402
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
DIFFERS = "as written it is"


def parameters_of(text):
    """Names in order, of our IR text."""
    head = text[text.index("\ndef "):]
    return re.findall(r"(?m)^    (\w+): ", head[:head.index("\n):")])


def executed(tilescope, text, inputs, folder, seconds):
    """What went wrong; None: the tensors are in the folder."""
    path = folder / "kernel.ir"
    path.write_text(text, encoding="utf-8")
    ran = corpus_stages.ended([tilescope, "exec", path, "--seed", "1", "--save", folder, *inputs], seconds)
    if ran is None:
        return f"no answer in {seconds} seconds"
    return None if ran.returncode == 0 else corpus_stages.first_error(ran.stdout + ran.stderr)


def tensors_of(function, names, folder):
    """On the GPU, in the order of the parameters, and the types that they have."""
    import torch

    tensors, types = [], []
    for parameter, name in zip(function.params, names):
        buffer = function.buffer_map[parameter]
        types.append(str(buffer.dtype))
        loaded = torch.from_numpy(numpy.load(folder / f"{name}.before.npy")).clone().view(getattr(torch, types[-1]))
        tensors.append(loaded.cuda())
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
    return f"{list(index)} is {got[index]} on the GPU, {DIFFERS} {wanted[index]}; {int(wrong.sum())} elements differ"


def compiled_by_tilelang(kernel, arguments):
    """As the kernel is written, and as it runs on this GPU."""
    import tilelang

    made = door.kernel_in_file(kernel, "sm_90a")
    made = getattr(made, "jit_impl", made)
    function = made.get_tir(**arguments)
    return function, tilelang.compile(function, target="cuda", pass_configs=getattr(made, "pass_configs", None))


def compare(kernel, arguments, names, folder):
    function, compiled = compiled_by_tilelang(kernel, arguments)
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


def settings(words, types):
    """Tensors without memory, of these types."""
    import torch

    values = door.settings(words)
    return values | {name: torch.empty(values[name], dtype=getattr(torch, dtype), device="meta") for name, dtype in types.items()}


def check(given, kernel, sizes, inputs_in, types):
    """What came of the first size that runs: "agrees", or why not."""
    result = "no size"
    for words in sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            arguments = settings(words, types)
            text = door.lower(door.kernel_in_file(kernel), **arguments)
            why = executed(given.tilescope, text, inputs_in(folder), folder, given.seconds)
            if why:
                result = f"not run on the CPU: {why}"
                continue
            if given.without_gpu:
                return "runs on the CPU"
            return compare(kernel, arguments, parameters_of(text), folder) or "agrees"
    return result


def checked(given, kernel, sizes, inputs_in, types):
    try:
        return check(given, kernel, sizes, inputs_in, types)
    except Exception as error:  # of the example, of TileLang or of the door: each is a line
        return f"{type(error).__name__}: {str(error).strip().splitlines()[-1] if str(error) else ''}"


def check_row(given, row):
    sizes = [size[1::2] for size in corpus_sizes.sizes(row)]
    return checked(given, row.kernel, sizes, lambda folder: corpus_inputs.inputs_of(row.file, row.function, folder), row.tensors)


def check_rows(given):
    """Each in a process of its own: a fault on the GPU ends one."""
    rows = corpus_rows.read(given.csv, given.examples, "sm_80", given.only)

    def in_process(number):
        ran = corpus_stages.ended([sys.executable, *sys.argv, "--row", str(number)], 4 * given.seconds)
        lines = ran.stdout.strip().splitlines() if ran else []
        return lines[-1] if lines else f"no answer in {4 * given.seconds} seconds" if ran is None else "the process ended"

    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for row, result in zip(rows, pool.map(in_process, range(len(rows)))):
            kind = result if result == "agrees" else "differs" if DIFFERS in result else "not compared"
            counts[kind] += 1
            print(f"{kind:12} {row.name} {' '.join(row.arguments[1::2])}: {result}", flush=True)
    print("; ".join(f"{count} {kind}" for kind, count in counts.items()))
    return 1 if counts["differs"] else 0


def check_kernels(given):
    wrong = 0
    for kernel, words in KERNELS:
        if any(kernel.startswith(only) for only in given.only or [""]):
            result = checked(given, str(given.examples / kernel), [words.split()], lambda folder: [], {})
            wrong += result not in ("agrees", "runs on the CPU")
            print(f"{kernel} {words}: {result}", flush=True)
    print(f"{len(KERNELS)} kernels, {wrong} without agreement{', nothing compared' if given.without_gpu else ''}")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("examples", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--csv")
    parser.add_argument("--row", type=int, help="of the list, alone")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--without-gpu", action="store_true")
    parser.add_argument("--seconds", type=int, default=60, help="for one run on the CPU")
    parser.add_argument("-j", "--jobs", type=int, default=4)
    given = parser.parse_args()
    if given.row is not None:
        print(check_row(given, corpus_rows.read(given.csv, given.examples, "sm_80", given.only)[given.row]))
        return 0
    return check_rows(given) if given.csv else check_kernels(given)


if __name__ == "__main__":
    sys.exit(main())
