#!/usr/bin/env python3
"""TileLang's examples, as they are written and as TileLang compiled them: what `tilescope exec` makes of the kernel on the
CPU (of kernels that call CUDA of their author `tilescope run` on this GPU) beside what TileLang's CUDA makes of it on this GPU,
from the same inputs.

usage: gpu_door.py TILESCOPE EXAMPLES [--csv FILE] [--only PREFIX ...] [--without-gpu] [--seconds N] [-j JOBS]

EXAMPLES is the folder `examples/` of a checkout outside this tree. Run by hand with a Python that has TileLang, where there
is a GPU; --without-gpu stops before it. A line a kernel: agreement, or the first element that differs. With --csv: every
instance of that list (corpus_rows.py), at the first small size that runs, on inputs that make sense for it; there a kernel
that one of both does not run is a line too, and no disagreement; neither is one whose answer is known not to be the kernel's
(corpus_findings.py). Exit code 1 if one disagrees."""

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
import corpus_findings  # noqa: E402
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
# How far rounding may take an element: of the root mean square of an output, by the narrowest type of the kernel's tensors,
# through which what it computes may go, and of the element, by the type of the output: two neighbours of that type.
OF_OUTPUT = {"float32": 0.005, "float16": 0.02, "bfloat16": 0.04}
OF_NARROWEST = 0.08
OF_ELEMENT = {"float8_e4m3fn": 2**-3, "float8_e5m2": 2**-2}
DIFFERS = "as written it is"
# What torch calls types of kernels.
TORCH = {"custom[tfloat32]": "float32", "float8_e4m3": "float8_e4m3fn"}


def parameters_of(text):
    """Names in order, of our IR text."""
    head = text[text.index("\ndef "):]
    return re.findall(r"(?m)^    (\w+): ", head[:head.index("\n):")])


def executed(tilescope, text, inputs, folder, seconds, verb="exec"):
    """What went wrong; None: the tensors are in the folder."""
    path = folder / "kernel.ir"
    path.write_text(text, encoding="utf-8")
    ran = corpus_stages.ended([tilescope, verb, path, "--seed", "1", "--save", folder, *inputs], seconds)
    if ran is None:
        return f"no answer in {seconds} seconds"
    return None if ran.returncode == 0 else corpus_stages.first_error(ran.stdout + ran.stderr)


def target_of_gpu():
    import torch

    major, minor = torch.cuda.get_device_capability()
    return f"sm_{major}{minor}{'a' if major >= 9 else ''}"


def made(given, text, inputs, folder):
    """As `executed`: on the CPU as written, or, of a kernel that calls CUDA of its author, by our CUDA on the GPU."""
    why = executed(given.tilescope, text, inputs, folder, given.seconds)
    is_on_gpu = why is not None and "foreign code" in why and not given.without_gpu
    if not is_on_gpu:
        return why
    return executed(given.tilescope, text, ["--target", target_of_gpu(), *inputs], folder, given.seconds, "run")


def tensor_in(path, dtype):
    """Of a type that numpy may lack."""
    import torch

    return torch.from_numpy(numpy.load(path)).clone().view(getattr(torch, TORCH.get(dtype, dtype)))


def bits_in(path):
    loaded = numpy.load(path)
    return loaded.view(f"u{loaded.itemsize}")


def in_shape(tensor, shape):
    """What has a layout of its own is stored as one row of elements; an extent may be known only at the launch."""
    extents = [int(extent) if str(extent).isdigit() else -1 for extent in shape]
    return tensor if tensor.dim() == len(extents) or extents.count(-1) > 1 else tensor.reshape(extents)


def parameters_in(function, names, folder, scalars):
    """In their order, tensors on the GPU, and their types."""
    values, types = [], []
    for parameter, name in zip(function.params, names):
        if parameter not in function.buffer_map:
            values.append(int(scalars[name]))
            types.append("")
            continue
        buffer = function.buffer_map[parameter]
        types.append(str(buffer.dtype))
        values.append(in_shape(tensor_in(folder / f"{name}.before.npy", types[-1]), buffer.shape).cuda())
    return values, types


def tolerance_of(types):
    """Of the root mean square."""
    floats = [dtype for dtype in types if "float" in dtype]
    return max((OF_OUTPUT.get(dtype, OF_NARROWEST) for dtype in floats), default=0)


def difference(got, wanted, tolerance, is_compared):
    """"": none."""
    of_element = OF_ELEMENT.get(str(wanted.dtype).removeprefix("torch."), 0)
    got, wanted = (tensor.float().cpu().numpy().reshape(wanted.shape) for tensor in (got, wanted))
    scale = numpy.sqrt(numpy.nanmean(wanted.astype(numpy.float64)**2)) or 1
    near = numpy.abs(got - wanted) <= tolerance * scale + of_element * numpy.abs(wanted)
    wrong = ~(near | (numpy.isnan(got) & numpy.isnan(wanted)) | (got == wanted)) & is_compared
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


def scalars_of(inputs):
    return dict(word.split("=", 1) for option, word in zip(inputs, inputs[1:]) if option == "--dim")


def compare(kernel, arguments, names, folder, inputs):
    function, compiled = compiled_by_tilelang(kernel, arguments)
    tensors, types = parameters_in(function, names, folder, scalars_of(inputs))
    # What an eager kernel returns is not given to it.
    returned = sorted(door.outputs_of(function, None))
    results = compiled(*(tensor for at, tensor in enumerate(tensors) if at not in returned))
    for at, tensor in zip(returned, results if isinstance(results, (list, tuple)) else [results]):
        tensors[at] = tensor
    texts, left_out, tolerance = [], [], tolerance_of(types)
    for at, (name, tensor, dtype) in enumerate(zip(names, tensors, types)):
        after, before = folder / f"{name}.after.npy", folder / f"{name}.before.npy"
        if not after.exists():
            continue
        # What is returned starts as anything: elements that the kernel leaves as they were are not its own.
        is_compared = bits_in(after) != bits_in(before) if at in returned else numpy.True_
        if at in returned and "float" in dtype and not tensor_in(before, dtype).float().isnan().all():
            left_out.append(f"'{name}' is returned, and starts as what nobody wrote")
        elif not is_compared.any():
            left_out.append(f"nothing is written to '{name}'")
        elif text := difference(tensor, tensor_in(after, dtype), tolerance, is_compared):
            texts.append(name + text)
    return "; ".join(texts or left_out)


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
            inputs = inputs_in(folder)
            why = made(given, text, inputs, folder)
            if why:
                result = f"not run: {why}"
                continue
            if given.without_gpu:
                return "runs on the CPU"
            return compare(kernel, arguments, parameters_of(text), folder, inputs) or "agrees"
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
            known = ": ".join(filter(None, corpus_findings.explained(row.file, row.function, "door")))
            kind = result if result == "agrees" else "not compared" if DIFFERS not in result else "theirs" if known else "differs"
            counts[kind] += 1
            notes = f" [{known}]" if kind == "theirs" else ""
            print(f"{kind:12} {row.name} {' '.join(row.arguments[1::2])}: {result}{notes}", flush=True)
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
