#!/usr/bin/env python3
"""TileLang's published GEMM and attention forward on this machine's Hopper GPU, each rung of sm_90a a row, beside the
vendor's libraries (through PyTorch), in one process.

usage: gpu_ladder.py TILESCOPE EXAMPLES [--sizes 4096,8192] [--transposed 4096] [--batch 2] [--lengths 4096,1024]
       [--dims 128,64] [--causal none|causal|both] [--rungs mma,tma] [--also NAME=OPTION,OPTION] [--rounds 30]
       [--pause 0.03] [--work FOLDER]

EXAMPLES is the folder `examples/` of a checkout of TileLang outside this tree; its files are taken as they are. No GEMM of
them takes A transposed whose rows are known to lie as TMA needs it: that contest is of testdata. A rung is options of
passes; --also adds one. Each is compiled with each tiling, built by nvcc, and compared with what the rival
computes, in another process, which may hang or fail. What is right is timed alone first; then the best tiling of each
rung takes turns with the rival, as in tests/golden/measure.py: while the card is at its limit of power, and with pauses.
Needs a GPU and PyTorch; not part of the tests.
"""
import argparse
import concurrent.futures
import ctypes
import dataclasses
import itertools
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import torch
from torch.nn.attention import SDPBackend

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/golden"))
import build  # noqa: E402
import measure  # noqa: E402
import problems  # noqa: E402

TOGETHER = ("inject-pipeline.roles=false",)
TMA = (*TOGETHER, "inject-pipeline.tma=true")
STORES = (*TMA, "infer-layouts.tma-stores=true")
ROLES = ()
RUNGS = {
    "mma": (*TOGETHER, "infer-layouts.wgmma=false"),
    "wgmma": TOGETHER,
    "tma": TMA,
    "stores": STORES,
    "roles": ROLES,
}
BLOCKS = (*ROLES, "inject-pipeline.blocks=128")  # as many as divide the tiles evenly, of 132
GEMM_RUNGS = RUNGS | {"blocks": BLOCKS, "groups": (*BLOCKS, "split-roles.warp-groups=true")}
OVERLAP = (*ROLES, "plan-pipeline.overlap-products=true")
MASKS = (*OVERLAP, "split-masks.branch=true")
AHEAD = (*MASKS, "inject-pipeline.blocks=128", "inject-pipeline.tile-slots=2", "split-roles.warp-groups=true")
ATTENTION_RUNGS = RUNGS | {"overlap": OVERLAP, "masks": MASKS, "ahead": AHEAD}
SAYS = {
    "mma": "mma.sync",
    "wgmma": "wgmma",
    "tma": "and copies by TMA",
    "stores": "and stores by TMA",
    "roles": "and warps that copy",
    "blocks": "and tile after tile",
    "groups": "and warp groups that store alone",
    "overlap": "and products that overlap",
    "masks": "and masks only where they mask",
    "ahead": "and tile after tile, queries ahead",
}
GEMM = "gemm/example_gemm_persistent.py:matmul_non_persistent"
GEMM_TILINGS = [
    dict(block_M=128, block_N=256, block_K=64, num_stages=3, threads=256),
    dict(block_M=128, block_N=256, block_K=64, num_stages=4, threads=256),
    dict(block_M=256, block_N=128, block_K=64, num_stages=3, threads=256),
]
TRANSPOSED = ROOT / "testdata/kernels/gemm_transposed.py:matmul"
TRANSPOSED_TILINGS = [dict(block_M=128, block_N=256, block_K=64, num_stages=3, threads=256),
                      dict(block_M=256, block_N=128, block_K=64, num_stages=3, threads=256)]
ATTENTION = "flash_attention/example_mha_fwd_bhsd.py:flashattn"
ATTENTION_TILINGS = [
    dict(block_M=128, block_N=128, num_stages=2, threads=256),
    dict(block_M=128, block_N=64, num_stages=2, threads=256),
    dict(block_M=192, block_N=128, num_stages=2, threads=384),
]
HEADS, DIM = 32, 128
LAUNCHES = 10  # of a check
COARSE_REPLAYS = 5


@dataclasses.dataclass(frozen=True)
class Contest:
    name: str
    problem_type: type
    shape: tuple
    kernel: str
    arguments: dict
    tilings: list
    rungs: dict


@dataclasses.dataclass
class Built:
    rung: str
    tiling: str
    library: pathlib.Path
    trouble: str = ""
    registers: str = ""


def contests_of(options):
    def chosen(rungs):
        named = {name: words for name, words in rungs.items() if not options.rungs or name in options.rungs}
        return named | {name: tuple(words.split(",")) for name, words in options.also}

    for size in options.sizes:
        yield Contest(f"GEMM-{size}", problems.Gemm, (size, size, size), GEMM, dict(M=size, N=size, K=size), GEMM_TILINGS,
                      chosen(GEMM_RUNGS))
    for size in options.transposed:
        arguments = dict(M=size, N=size, K=size, trans_A=True, through_shared=True)
        yield Contest(f"GEMM-{size}-transposed", problems.Gemm, (size, size, size, 1), TRANSPOSED, arguments,
                      TRANSPOSED_TILINGS, chosen(GEMM_RUNGS))
    causal_or_not = {"none": [0], "causal": [1], "both": [0, 1], "off": []}[options.causal]
    for dim, length, causal in itertools.product(options.dims, options.lengths, causal_or_not):
        arguments = dict(batch=options.batch, heads=HEADS, seq_q=length, seq_kv=length, dim=dim)
        arguments["is_causal"] = bool(causal)
        yield Contest(f"attention-{length}{f'-D{dim}' * (dim != DIM)}{'-causal' * causal}", problems.Attention,
                      (options.batch, HEADS, length, dim, causal), ATTENTION, arguments, ATTENTION_TILINGS,
                      chosen(ATTENTION_RUNGS))


# ---- Compiling


def built(options, contest, rung, tiling):
    label = " ".join(f"{name}={value}" for name, value in tiling.items())
    stem = options.work / f"{contest.name}-{rung}-{contest.tilings.index(tiling)}"
    one = Built(rung, label, stem.with_suffix(".so"))
    source = stem.with_suffix(".cu")
    words = [word for name, value in (contest.arguments | tiling).items() for word in ("--set", f"{name}={value}")]
    words += [word for option in contest.rungs[rung] for word in ("--pass-option", option)]
    made = subprocess.run([options.tilescope, "compile", pathlib.Path(options.examples) / contest.kernel, *words, "--target",
                           "sm_90a", "-o", source], capture_output=True, text=True)
    if made.returncode:
        one.trouble = next((line for line in made.stderr.splitlines() if "error:" in line), made.stderr)
        return one
    with open(source) as file:  # the first line says how it is to be compiled
        fast = ["--use_fast_math"] * ("--use_fast_math" in file.readline())
    made = subprocess.run(
        [build.find_nvcc(), "-std=c++17", "-gencode", "arch=compute_90a,code=sm_90a", "-shared", "-Xcompiler", "-fPIC",
         "-Xptxas", "-v", *fast, source, "-o", one.library], capture_output=True, text=True)
    output = made.stdout + made.stderr
    one.trouble = output.strip()[-300:] if made.returncode else ""
    spills = ["spills" for match in build.SPILLS.finditer(output) if match.groups() != ("0", "0", "0")]
    said = re.findall(r"Used (\d+) registers", output) + spills + sorted(set(re.findall(r"C75\d\d", output)))
    one.registers = " ".join(said)
    return one


def compiled(options, contests):
    """By contest's name, what could be compiled; prints what could not."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {contest.name: [pool.submit(built, options, contest, rung, tiling)
                               for rung in contest.rungs for tiling in contest.tilings] for contest in contests}
        every = {name: [job.result() for job in group] for name, group in jobs.items()}
    for name, group in every.items():
        for one in filter(lambda one: one.trouble, group):
            print(f"{name} {one.rung} {one.tiling}: {one.trouble}", flush=True)
    return {name: [one for one in group if not one.trouble] for name, group in every.items()}


# ---- Launching and checking


def launcher(problem, library):
    """Launches on a set of the problem, in PyTorch's stream."""
    name = re.search(r'extern "C" cudaError_t (\w+)\(', library.with_suffix(".cu").read_text()).group(1)
    function = getattr(ctypes.CDLL(str(library)), name)
    addresses = [[ctypes.c_void_p(tensor.data_ptr()) for tensor in tensors] for tensors in problem.sets]

    def launch(index):
        status = function(*addresses[index % len(addresses)], ctypes.c_void_p(torch.cuda.current_stream().cuda_stream))
        if status:
            raise RuntimeError(f"{name}: CUDA's error {status}")
    return launch


def check_all(contest, libraries):
    """Prints a line of each: its largest error, or what is wrong."""
    torch.manual_seed(1)
    problem = contest.problem_type(contest.shape, 1)
    expected = problem.rival(0).float().clone()
    print("ready", flush=True)
    for library in libraries:
        launch, errors = launcher(problem, library), []
        for _ in range(LAUNCHES):
            problem.output(0).fill_(float("nan"))
            launch(0)
            torch.cuda.synchronize()
            errors.append(((problem.output(0).float() - expected).norm() / expected.norm()).item())
        right = all(error < measure.LIMIT for error in errors)
        print(f"{'right' if right else 'WRONG'} {' '.join(f'{error:.1e}' for error in errors)}", flush=True)


def answers_of(contest, libraries):
    """What a process says of the libraries until it ends or says nothing for too long, and why it said no more."""
    child = subprocess.Popen([sys.executable, *sys.argv, "--check", contest.name, *map(str, libraries)],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    answers = []
    while True:
        limit = threading.Timer(measure.CHECK_SECONDS, child.kill)
        limit.start()
        line = child.stdout.readline()
        limit.cancel()
        if not line:
            break
        answers.append(line.strip())
    says = " ".join(child.stderr.read().strip().splitlines()[-1:])
    trouble = "hangs" if child.wait() == -signal.SIGKILL else f"fails: {says}"
    return answers[1:], trouble if answers else f"no check: {trouble}"


def check(contest, group):
    """By library, 'right' or 'WRONG' with the error, or how it fails; those behind one that does are asked again."""
    verdicts, left = {}, [one.library for one in group]
    while left:
        answers, trouble = answers_of(contest, left)
        verdicts |= dict(zip(left, answers))
        left = left[len(answers):]
        if left:
            verdicts[left.pop(0)] = trouble
        if trouble.startswith("no check"):
            verdicts |= dict.fromkeys(left, trouble)
            break
    return verdicts


# ---- Timing


def coarse(graph):
    """Milliseconds of a replay, alone."""
    times = []
    for _ in range(1 + COARSE_REPLAYS):  # the first finds the card at rest
        begin, end = measure.timed(graph)
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times[1:])


def others_of(problem):
    """(rung, what it is, launch) of what else the vendor's libraries have."""
    if isinstance(problem, problems.Attention):
        def flash(index):
            problem.rival(index, SDPBackend.FLASH_ATTENTION)
        return [("Flash-2", "PyTorch's FlashAttention-2", flash)]
    return [("cuBLASLt", f"proposal {name.split('-')[1]}", launch) for name, launch in problem.rivals().items()]


def best_of(problem, launches, group):
    """By rung, (graph, what it is) of the fastest."""
    found = {}
    every = others_of(problem)
    every += [(one.rung, f"{one.tiling} ({one.registers})", launcher(problem, one.library)) for one in group]
    for rung, label, launch in every:
        graph = measure.graph_of(launch, launches)
        taken = coarse(graph)
        print(f"  {rung:10} {problem.work * launches / taken * 1e-9:6.1f} TFLOP/s alone  {label}", flush=True)
        if rung not in found or taken < found[rung][0]:
            found[rung] = taken, graph, label, launch
    return {rung: one[1:] for rung, one in found.items()}


def card(graphs):
    """What the card says of itself while it works."""
    fields = "clocks.sm,power.draw,temperature.gpu,clocks_event_reasons.active"
    try:
        asked = subprocess.Popen(["nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader"],
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return "no nvidia-smi"
    while asked.poll() is None:
        measure.warm(graphs, 0.05)
    return asked.stdout.read().strip()


def cells(pairs, work):
    ratios = [theirs / ours for theirs, ours in pairs]
    low, high = measure.interval(ratios)
    teraflops = work / statistics.median(ours for _, ours in pairs) * 1e-9
    return f"{statistics.median(ratios):.3f} [{low:.3f}, {high:.3f}] {teraflops:6.1f}"


def climb(options, contest, group):
    torch.manual_seed(1)
    problem, launches = measure.problem_of(contest.problem_type, contest.shape)
    print(f"\n{contest.name}: graphs of {launches} launches over {len(problem.sets)} sets", flush=True)
    best = best_of(problem, launches, group)
    graphs = {problem.RIVAL: measure.graph_of(problem.rival, launches)} | {rung: one[0] for rung, one in best.items()}
    rival = graphs[problem.RIVAL]
    measure.warm(graphs, measure.WARM_SECONDS)
    limited = measure.rounds_of(graphs, rival, options.rounds, 0)
    says = card(graphs)
    rested = measure.rounds_of(graphs, rival, options.rounds, options.pause)
    print(f"{options.rounds} rounds; at the limit: {says}", flush=True)
    print(f"{'':10} share of {problem.RIVAL}, TFLOP/s: at the limit   with pauses of {options.pause} s")
    work = problem.work * launches
    for rung in graphs:
        what = f"{SAYS.get(rung, '')}, {best[rung][1]}".lstrip(", ") if rung in best else "the rival"
        print(f"{rung:10} {cells(limited[rung], work)}   {cells(rested[rung], work)}   {what}", flush=True)


def numbers(text):
    return [int(number) for number in text.split(",") if number]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tilescope")
    parser.add_argument("examples")
    parser.add_argument("--sizes", type=numbers, default=[4096, 8192], help="of GEMM; '': none")
    parser.add_argument("--transposed", type=numbers, default=[], help="of GEMM with A transposed")
    parser.add_argument("--batch", type=int, default=2)
    parser.add_argument("--lengths", type=numbers, default=[4096])
    parser.add_argument("--dims", type=numbers, default=[DIM])
    parser.add_argument("--causal", choices=["none", "causal", "both", "off"], default="both", help="off: no attention")
    parser.add_argument("--rungs", type=lambda text: text.split(","), help=f"of {', '.join(SAYS)}")
    parser.add_argument("--also", type=lambda text: text.split("=", 1), action="append", default=[])
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--pause", type=float, default=0.03)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "gpu_ladder",
                        help="where sources and libraries are kept")
    parser.add_argument("--check", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    contests = list(contests_of(options))
    if options.check:
        contest = next(contest for contest in contests if contest.name == options.check[0])
        return check_all(contest, map(pathlib.Path, options.check[1:]))
    began = time.monotonic()
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, CUDA {torch.version.cuda}, "
          f"cuDNN {torch.backends.cudnn.version()}", flush=True)
    groups = compiled(options, contests)
    print(f"compiled after {time.monotonic() - began:.0f} s", flush=True)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        verdicts = list(pool.map(lambda contest: check(contest, groups[contest.name]), contests))
    print(f"checked after {time.monotonic() - began:.0f} s", flush=True)
    for contest, verdict in zip(contests, verdicts):
        for one in groups[contest.name]:
            if not verdict[one.library].startswith("right"):
                print(f"{contest.name} {one.rung} {one.tiling}: {verdict[one.library]}", flush=True)
        climb(options, contest, [one for one in groups[contest.name] if verdict[one.library].startswith("right")])
        torch.cuda.empty_cache()
    print(f"timed after {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
