#!/usr/bin/env python3
"""The kernels of testdata/triton on this machine's GPU, unrecorded and recorded: the same results, and warm the same times.

usage: gpu_triton.py [--only NAME ...] [--rounds 5] [--work FOLDER]

Every round is a process without the recorder and one with it, with a cache of Triton for each: the first round compiles. Each
process compares what a kernel computes with what PyTorch does, and times launches when all is compiled: what a launch takes on
the GPU, and what it costs the program that makes it.
Exit code 1: results differ in a bit or from PyTorch's, a trace is missing, or the least of the recorded times is more than the
greatest of the others and the slack. Needs a GPU, PyTorch and a release of Triton that is recorded; not part of the tests."""
import argparse
import hashlib
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARM_SECONDS = 0.5  # until clocks are up
LAUNCHES, REPEATS = 20, 40
WAIT_CYCLES = 4_000_000  # of the GPU, in which launches are queued, so that it runs one after the other
# Of clocks and of whatever else the machine does: of the GPU's time, and of the time that a launch costs.
GPU_SLACK, CALL_SLACK = 1.02, 1.10
LOG2_E = math.log2(math.e)


def random(*shape, dtype="float16"):
    import torch
    return torch.randn(*shape, device=DEVICE).to(getattr(torch, dtype))


def empty(*shape, dtype="float16"):
    import torch
    return torch.zeros(*shape, device=DEVICE, dtype=getattr(torch, dtype))


DEVICE = "cuda"


# Of each kernel: (launch, outputs, what PyTorch makes of it, error that is allowed, of the greatest value).


def matmul(size=2048):
    from matmul import matmul as kernel
    a, b, c = random(size, size), random(size, size), empty(size, size)
    grid = (size // 128 * (size // 128), )
    return (lambda: kernel[grid](a, b, c, size, size, size, size, size, size, BLOCK_M=128, BLOCK_N=128, BLOCK_K=64, GROUP=8,
                                 num_warps=8), [c], lambda: [a @ b], 2e-3)


def matmul_tuned(size=1024):
    import triton
    from matmul import matmul as kernel
    configs = [triton.Config(dict(BLOCK_M=64, BLOCK_N=64, BLOCK_K=depth, GROUP=8), num_stages=3) for depth in (32, 64)]
    tuned = triton.autotune(configs, key=["M"])(kernel)
    a, b, c = random(size, size), random(size, size), empty(size, size)
    grid = (size // 64 * (size // 64), )
    return lambda: tuned[grid](a, b, c, size, size, size, size, size, size), [c], lambda: [a @ b], 2e-3


def softmax(rows=4096, columns=1000):
    from softmax import softmax as kernel
    x, y = random(rows, columns, dtype="float32"), empty(rows, columns, dtype="float32")
    return (lambda: kernel[(rows // 4, )](x, y, rows, columns, columns, columns, ROWS=4, BLOCK=1024), [y],
            lambda: [x.softmax(1)], 1e-5)


def norm_inputs(rows, columns):
    x, dy = random(rows, columns), random(rows, columns)
    mean = x.float().mean(1)
    inverse = (x.float().var(1, correction=0) + 1e-5).rsqrt()
    return x, dy, mean, inverse, (x.float() - mean[:, None]) * inverse[:, None]


def input_gradient(rows=2048, columns=4000):
    from layer_norm import input_gradient as kernel
    x, dy, mean, inverse, normal = norm_inputs(rows, columns)
    w, dx = random(columns), empty(rows, columns)

    def expected():
        part = w.float() * dy.float()
        along, level = (normal * part).mean(1, keepdim=True), part.mean(1, keepdim=True)
        return [(part - normal * along - level) * inverse[:, None]]

    return (lambda: kernel[(rows, )](dx, dy, x, w, mean, inverse, columns, columns, BLOCK=4096, num_warps=8), [dx], expected, 2e-3)


def weight_gradient(rows=2048, columns=4096):
    from layer_norm import weight_gradient as kernel
    x, dy, mean, inverse, normal = norm_inputs(rows, columns)
    dw, db = empty(columns, dtype="float32"), empty(columns, dtype="float32")
    return (lambda: kernel[(columns // 128, )](dw, db, dy, x, mean, inverse, columns, rows, columns, ROWS=32, BLOCK=128),
            [dw, db], lambda: [(dy.float() * normal).sum(0), dy.float().sum(0)], 1e-4)


def attention(heads=16, length=2048, dim=64):
    from attention import attention as kernel
    q, k, v, o = (random(heads, length, dim) for _ in range(4))
    scale = dim**-0.5

    def expected():
        return [((q.float() @ k.float().mT * scale).softmax(-1) @ v.float())]

    return (lambda: kernel[(length // 128, heads)](q, k, v, o, scale * LOG2_E, length, length * dim, dim, dim, dim, dim, BLOCK_M=128,
                                                   BLOCK_N=64, DIM=dim), [o], expected, 4e-3)


def gradient_inputs(heads, length, dim):
    import torch
    q, k, v, given = (random(heads, length, dim) for _ in range(4))
    scale = dim**-0.5 * LOG2_E
    scores = q.float() @ k.float().mT * scale
    logsum = torch.logsumexp(scores / LOG2_E, -1) * LOG2_E
    weights = torch.exp2(scores - logsum[..., None])
    delta = ((weights @ v.float()) * given.float()).sum(-1)
    change = weights * (given.float() @ v.float().mT - delta[..., None])
    return q, k, v, given, logsum, delta, scale, weights, change


def gradient_of_keys(heads=8, length=1024, dim=64):
    from attention_backward import gradient_of_keys as kernel
    q, k, v, given, logsum, delta, scale, weights, change = gradient_inputs(heads, length, dim)
    dk, dv = empty(heads, length, dim), empty(heads, length, dim)
    return (lambda: kernel[(length // 64, heads)](q, k, v, given, logsum, delta, dk, dv, scale, length, BLOCK_M=64, BLOCK_N=64,
                                                  DIM=dim), [dk, dv],
            lambda: [change.mT @ q.float() * scale, weights.mT @ given.float()], 1e-2)


def gradient_of_queries(heads=8, length=1024, dim=64):
    from attention_backward import gradient_of_queries as kernel
    q, k, v, given, logsum, delta, scale, _, change = gradient_inputs(heads, length, dim)
    dq = empty(heads, length, dim)
    return (lambda: kernel[(length // 64, heads)](q, k, v, given, logsum, delta, dq, scale, length, BLOCK_M=64, BLOCK_N=64, DIM=dim),
            [dq], lambda: [change @ k.float() * scale], 1e-2)


def grouped_matmul(rows=(64, 1000, 400, 576), size=1024):
    import torch
    from grouped_matmul import grouped_matmul as kernel
    ends = [sum(rows[:group]) for group in range(len(rows) + 1)]
    offsets = torch.tensor(ends, dtype=torch.int32, device=DEVICE)
    a, b, c = random(ends[-1], size), random(len(rows), size, size), empty(ends[-1], size)
    grid = (-(-max(rows) // 64), size // 64, len(rows))
    return (lambda: kernel[grid](a, b, c, offsets, size, size, BLOCK_M=64, BLOCK_N=64, BLOCK_K=64), [c],
            lambda: [torch.cat([a[begin:end] @ b[group] for group, (begin, end) in enumerate(zip(ends, ends[1:]))])], 2e-3)


def matmul_scaled(size=1024):
    import torch
    from matmul_scaled import matmul_scaled as kernel
    a, b = random(size, size).to(torch.float8_e5m2), random(size, size).to(torch.float8_e5m2)
    scales = [torch.randint(125, 130, (size, size // 32), device=DEVICE, dtype=torch.uint8) for _ in range(2)]
    c = empty(size, size, dtype="float32")

    def expected():
        of_a, of_b = (torch.exp2(each.float() - 127).repeat_interleave(32, 1) for each in scales)
        return [(a.float() * of_a) @ (b.float() * of_b.T)]

    grid = (size // 128, size // 128)
    return (lambda: kernel[grid](a, scales[0], b, scales[1], c, size, size, BLOCK_M=128, BLOCK_N=128, BLOCK_K=128), [c], expected, 1e-2)


def matmul_three(depth=1024):
    from matmul_three import matmul_three as kernel
    a, b, c = random(64, depth, dtype="bfloat16"), random(64, depth, dtype="float32"), empty(64, 64, dtype="float32")
    return (lambda: kernel[(1, )](a, b, c, depth, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32, PRECISION="tf32x3", num_stages=2), [c],
            lambda: [(a.double() @ b.double().T).float()], 1e-4)


def by_descriptors(kernel, grid, size, **named):
    import torch
    import triton
    triton.set_allocator(lambda bytes_, alignment, stream: torch.empty(bytes_, device=DEVICE, dtype=torch.int8))
    a, b, c = random(size, size), random(size, size), empty(size, size)
    return (lambda: kernel[grid](a, b, c, size, size, size, BLOCK_M=128, BLOCK_N=128, BLOCK_K=64, **named), [c], lambda: [a @ b.T], 2e-3)


def matmul_tma(size=2048):
    from matmul_tma import matmul_tma as kernel
    return by_descriptors(kernel, (size // 128 * (size // 128), ), size)


def matmul_persistent(size=2048):
    from matmul_persistent import matmul_persistent as kernel
    return by_descriptors(kernel, (132, ), size, FLATTEN=False, SPECIALIZE=False)


KERNELS = {each.__name__: each
           for each in (matmul, matmul_tuned, softmax, input_gradient, weight_gradient, attention, gradient_of_keys, gradient_of_queries,
                        grouped_matmul, matmul_scaled, matmul_three, matmul_tma, matmul_persistent)}


# ---- One run, in a process of its own


def run(name):
    import torch
    torch.manual_seed(7)
    torch.backends.cuda.matmul.allow_tf32 = False
    launch, made, expected, allowed = KERNELS[name]()
    launch()
    torch.cuda.synchronize()
    digest = hashlib.sha256()
    for each in made:
        digest.update(each.contiguous().view(torch.uint8).cpu().numpy().tobytes())
    error = max(float((one.float() - other.float()).abs().max() / other.float().abs().max()) for one, other in zip(made, expected()))
    gpu, call = times_of(launch)
    return {"digest": digest.hexdigest(), "error": error, "allowed": allowed, "gpu": gpu, "call": call}


def times_of(launch):
    """Microseconds: what a launch takes on the GPU among others, and what it costs the program; the medians of some repeats."""
    import torch
    began = time.perf_counter()
    while time.perf_counter() < began + WARM_SECONDS:
        launch()
        torch.cuda.synchronize()
    taken, calls = [], []
    for _ in range(REPEATS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        torch.cuda._sleep(WAIT_CYCLES)
        begin.record()
        began = time.perf_counter()
        for _ in range(LAUNCHES):
            launch()
        calls.append((time.perf_counter() - began) * 1e6 / LAUNCHES)
        end.record()
        torch.cuda.synchronize()
        taken.append(begin.elapsed_time(end) * 1e3 / LAUNCHES)
    return statistics.median(taken), statistics.median(calls)


# ---- All runs


def ran(names, work, is_recorded, number):
    """What `run` says of each."""
    environment = {each: value for each, value in os.environ.items() if not each.startswith("TILESCOPE")}
    environment |= {"TRITON_CACHE_DIR": str(work / f"cache-{'recorded' if is_recorded else 'plain'}"),
                    "TRITON_DEFAULT_FP_FUSION": "1"}
    if is_recorded:
        environment["TILESCOPE_RECORD"] = str(work / f"traces-{number}")
    began = time.perf_counter()
    made = subprocess.run([sys.executable, __file__, "--run", *names], capture_output=True, text=True, env=environment)
    kind = "recorded" if is_recorded else "plain"
    if made.returncode:
        raise SystemExit(f"{kind}: {made.stdout}{made.stderr}")
    print(f"round {number}, {kind}: {time.perf_counter() - began:.1f} s", flush=True)
    if is_recorded and number == 0:
        print(made.stderr[made.stderr.find("tilescope:"):])
    return json.loads(made.stdout.splitlines()[-1])


def compared(name, plain, recorded):
    """Prints a line, and gives [what is wrong]. `plain`, `recorded`: of each round."""
    digests, error = {each["digest"] for each in plain + recorded}, max(each["error"] for each in plain + recorded)
    wrong = [f"{name}: results differ"] * (len(digests) > 1)
    wrong += [f"{name}: {error:.1e} from PyTorch's"] * (not error <= plain[0]["allowed"])
    figures = []
    for kind, slack in (("gpu", GPU_SLACK), ("call", CALL_SLACK)):
        ours, others = [each[kind] for each in recorded], [each[kind] for each in plain]
        figures.append(f"{kind} {min(others):8.1f} us {min(ours):8.1f} recorded ({min(ours) / min(others):.3f})")
        wrong += [f"{name}: slower when recorded: {kind}"] * (min(ours) > max(others) * slack)
    print(f"{name:20} {'the same' if len(digests) == 1 else 'DIFFERENT':9} error {error:.1e}  {'  '.join(figures)}", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=KERNELS, default=list(KERNELS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--work", type=pathlib.Path, help="where caches and traces are kept (default: a temporary folder)")
    parser.add_argument("--run", nargs="+", choices=KERNELS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    sys.path[:0] = [str(ROOT / "python"), str(ROOT / "testdata/triton")]
    if given.run:
        if "TILESCOPE_RECORD" in os.environ:
            import tilescope.start  # noqa: F401  what tilescope.pth does where the package is installed
        print(json.dumps({name: run(name) for name in given.run}))
        return 0
    work = given.work or pathlib.Path(tempfile.mkdtemp(prefix="tilescope-"))
    import torch
    import triton
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, Triton {triton.__version__}; {work}", flush=True)
    rounds = [[ran(given.only, work, is_recorded, number) for is_recorded in (False, True)] for number in range(given.rounds)]
    wrong = [one for name in given.only for one in compared(name, *([each[at][name] for each in rounds] for at in (0, 1)))]
    traces, expected = len(list((work / "traces-0").glob("*.trace"))), len(given.only) + ("matmul_tuned" in given.only)
    wrong += [f"{traces} traces, of {expected} compiles"] * (traces != expected)
    print("\n".join(wrong) or "triton on the GPU: ok")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
