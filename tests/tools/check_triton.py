#!/usr/bin/env python3
"""Triton's compiler with and without the recorder: the same outputs, what recording costs, how large the traces are, which
operations have a line, what Tilescope says of them, and whether it finds faults that are planted in them. Run by
`./dev triton` with the Python of .triton/; needs no GPU.

Usage: check_triton.py TILESCOPE [--only NAME] [--out FOLDER] [--write FOLDER]"""

import argparse
import contextlib
import dataclasses
import itertools
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")  # else Triton warns that the default will change
import triton  # noqa: E402
from tilescope.recorder.triton import device_code, kernel_files, writing  # noqa: E402
from tilescope.recorder.triton.again import SEVERAL, Again  # noqa: E402
from tilescope.recorder.triton.compile_trace import write_trace  # noqa: E402
from tilescope.recorder.triton.facts import facts_of  # noqa: E402
from tilescope.recorder.triton.hold import Compile, Run, Step, watched  # noqa: E402
from tilescope.recorder.triton.llvm_text import LlvmTexts  # noqa: E402
from tilescope.recorder.triton.managers import passes_noted  # noqa: E402
from tilescope.recorder.triton.parsing import parsed  # noqa: E402
from tilescope.recorder.triton.previews import Allocator  # noqa: E402
import check_recorded_traces  # noqa: E402

MATMUL = ["*fp16:16"] * 3 + ["i32:16"] * 6
ROWS = ["*fp16:16"] * 4 + ["*fp32:16"] * 2 + ["i32:16", "i32"]
GRADIENTS = ["*fp16:16"] * 4 + ["*fp32:16"] * 2 + ["*fp16:16"] * 2 + ["fp32", "i32:16"]
TILES = dict(BLOCK_M=128, BLOCK_N=128, BLOCK_K=64)
# name: (kernel, types, constants, options)
KERNELS = {
    "matmul": ("matmul.py:matmul", MATMUL, dict(BLOCK_M=128, BLOCK_N=128, BLOCK_K=64, GROUP=8), dict(num_warps=8)),
    "matmul_small": ("matmul.py:matmul", MATMUL, dict(BLOCK_M=64, BLOCK_N=32, BLOCK_K=32, GROUP=8), dict(num_stages=4)),
    "softmax": ("softmax.py:softmax", ["*fp32:16"] * 2 + ["i32"] * 2 + ["i32:16"] * 2, dict(ROWS=4, BLOCK=1024), {}),
    "input_gradient": ("layer_norm.py:input_gradient", ROWS, dict(BLOCK=4096), dict(num_warps=8)),
    "weight_gradient": ("layer_norm.py:weight_gradient", ["*fp32:16"] * 2 + ROWS[:2] + ROWS[4:] + ["i32"],
                        dict(ROWS=32, BLOCK=128), {}),
    "attention": ("attention.py:attention", ["*fp16:16"] * 4 + ["fp32", "i32"] + ["i32:16"] * 5,
                  dict(BLOCK_M=128, BLOCK_N=64, DIM=64), {}),
    "gradient_of_keys": ("attention_backward.py:gradient_of_keys", GRADIENTS, dict(BLOCK_M=64, BLOCK_N=64, DIM=64), {}),
    "gradient_of_queries": ("attention_backward.py:gradient_of_queries", GRADIENTS[:6] + GRADIENTS[7:],
                            dict(BLOCK_M=64, BLOCK_N=64, DIM=64), {}),
    "grouped_matmul": ("grouped_matmul.py:grouped_matmul", ["*fp16:16"] * 3 + ["*i32:16"] + ["i32:16"] * 2,
                       dict(BLOCK_M=64, BLOCK_N=64, BLOCK_K=64), {}),
    "matmul_scaled": ("matmul_scaled.py:matmul_scaled", ["*fp8e5:16", "*i8:16"] * 2 + ["*fp32:16"] + ["i32:16"] * 2,
                      dict(BLOCK_M=128, BLOCK_N=128, BLOCK_K=128), {}),
    "matmul_tma": ("matmul_tma.py:matmul_tma", MATMUL[:6], TILES, {}),
    "matmul_tma_of_512": ("matmul_tma.py:matmul_tma", MATMUL[:5], dict(K=512, **TILES), {}),
    "matmul_persistent": ("matmul_persistent.py:matmul_persistent", MATMUL[:6], dict(FLATTEN=False, SPECIALIZE=False, **TILES), {}),
    "matmul_specialized": ("matmul_persistent.py:matmul_persistent", MATMUL[:6], dict(FLATTEN=False, SPECIALIZE=True, **TILES), {}),
    "matmul_of_clusters": ("matmul.py:matmul", MATMUL, dict(GROUP=8, **TILES), dict(num_ctas=2)),
    "scores": ("scores.py:scores", ["*fp16:16"] * 2 + ["*fp32:16", "*fp16:16"] + ["*fp32:16"] * 2, dict(QUERIES=64, KEYS=64, DIM=64), {}),
    "norms": ("called.py:norms", ["*fp32:16"] * 2, dict(BLOCK=512), {}),
}
TARGETS = ("sm_80", "sm_90")
ONLY_HOPPER = ("matmul_specialized", "matmul_of_clusters")
# What recording may add to the time of a compile, and with all that is done behind it; a short one may always take that many seconds more.
LIMIT, SHORT = 0.3, 0.3
WHOLE_LIMIT, WHOLE_SHORT = 2.0, 0.8
SIZE_LIMIT, SIZE_LIMIT_WITH_LLVM = 2_000_000, 3_000_000
LEAST_LINES, LEAST_DECIDED = 0.95, 0.85
AGAIN, ROUNDS = 8, 3
SHORTEST = "norms"
SEVERAL_COMPILES = 4
COST_KERNELS = ("softmax", "matmul", "attention", "gradient_of_keys")
LLVM_KERNELS = ("norms", "attention", "gradient_of_keys")


# What testdata/traces keeps, and the states of these.
KEPT = {"triton_softmax_sm_80": ("softmax", dict(ROWS=2, BLOCK=256), "sm_80"),
        "triton_matmul_sm_80": ("matmul", dict(BLOCK_M=32, BLOCK_N=32, BLOCK_K=32, GROUP=1), "sm_80")}
KEPT_STATES = ("as written", "ttir.convert_to_ttgpuir", "ttgpuir.pipeline", "ttgpuir.allocate_warp_groups",
               "nvidia.ttgpuir.allocate_shared_memory_nv", "nvidia.ttgpuir.membar")


def outputs(source, target, options):
    made = triton.compile(source, target=target, options=dict(options))
    return dict(made.asm), made.metadata._asdict()


def processor_seconds():
    """Of this thread and of the processes that it ran: others on the machine cost none."""
    times = os.times()
    return time.thread_time() + times.children_user + times.children_system


def recorded(name, arch, path):
    """(seconds without, seconds that recording adds, seconds of writing, [what is wrong]), all of the processor"""
    source, target, options = asked(name, arch)
    outputs(source, target, options)  # loads what the first compile loads
    began = processor_seconds()
    plain, _ = outputs(source, target, options)
    middle = processor_seconds()
    compile_ = Compile(source, target, options)
    with passes_noted(), watched(compile_):
        compile_.asm, compile_.metadata = outputs(source, target, options)
    ended = processor_seconds()
    wrong = [] if compile_.lost else other_sizes(compile_, target)
    wrong += ["it is not noticed that another program was made"] * (name == SHORTEST and not is_other_seen(compile_))
    began_writing = processor_seconds()
    write_trace(path, facts_of(compile_))
    written = processor_seconds() - began_writing
    if name in LLVM_KERNELS:
        wrong += wrong_llvm_text(source, target, options, path.with_suffix(".llvm"))
    wrong += [f"its {kind} is another with the recorder" for kind in other_outputs(plain, compile_.asm, source, target, options)]
    wrong += [f"not recorded: {compile_.lost}"] * bool(compile_.lost)
    looking, whole = compile_.looking_seconds, ended - middle
    for adds, most, what in ((looking, max((whole - looking) * LIMIT, SHORT), "recording"),
                             (looking + written, max((whole - looking) * WHOLE_LIMIT, WHOLE_SHORT), "recording with all behind it")):
        if adds > most:
            wrong.append(f"{what} adds {adds:.2f} s to {whole - looking:.2f}")
    return middle - began, looking, written, wrong


def other_outputs(plain, recorded, source, target, options):
    """The kinds of outputs that the recorder changed. Triton's warp specialisation compiles one program in one way or another, so
    what differs is compiled again some times without it."""
    for _ in range(AGAIN):
        other = [kind for kind, made in plain.items() if made != recorded[kind]]
        if not other:
            break
        plain, _ = outputs(source, target, options)
    return other


def wrong_llvm_text(source, target, options, path):
    """[what is wrong] with a trace that has text of the LLVM dialect: it must be of the same modules."""
    compile_ = Compile(source, target, options, with_llvm=True)
    with passes_noted(), watched(compile_):
        compile_.asm, compile_.metadata = outputs(source, target, options)
    write_trace(path, facts_of(compile_))
    texts, states = LlvmTexts(), [part for part in compile_.parts if isinstance(part, Step) and part.text is not None]
    wrong = [f"its text behind {state.name} is of another module" for state in states
             if parsed("\n".join(texts.lines_of(state.text))).str_nodebug() != state.text]
    print(f"with text of the LLVM dialect: {len(states)} states, {path.stat().st_size:,} bytes")
    wrong += ["it has no text of the LLVM dialect"] * (not states)
    return wrong + [f"its trace with that text has {path.stat().st_size:,} bytes"] * (path.stat().st_size > SIZE_LIMIT_WITH_LLVM)


def other_sizes(compile_, target):
    """[what is wrong]: sizes of scratch as they are found out of releases that do not say them, held against those of one that
    does."""
    last = [step for step in Again().steps(compile_.parts) if step.whole is not None][-1]
    found = Allocator(int(target.arch)).scratch.of(last.text, last.whole)
    return [f"scratch of {operation.name}: {size} bytes where Triton says {said}" for operation, size in found.items()
            if (said := operation.integers.get("allocation.size", size)) != size or size is None]


def is_other_seen(compile_) -> bool:
    """Whether it is noticed that passes which are done again make another program, of which what is known is said then."""
    runs = [part for part in compile_.parts if isinstance(part, Run)]
    moved = [dataclasses.replace(first, after=second.after) for first, second in zip(runs, runs[1:])]
    again = Again()
    steps = again.steps([*moved, *compile_.parts[len(moved):]])
    return again.is_other and sum(step.name == SEVERAL for step in steps) == len(moved) and steps[-1].text is None


def print_cost(name, arch, path):
    """Seconds of the processor: (the compile as it is, [(recorded, what is done behind it), the same with text of the LLVM
    dialect])."""
    source, target, options = asked(name, arch)

    def plain():
        began = processor_seconds()
        outputs(source, target, options)
        return processor_seconds() - began

    def recorded_with(has_llvm):
        compile_ = Compile(source, target, options, with_llvm=has_llvm)
        began = processor_seconds()
        with passes_noted(), watched(compile_):
            compile_.asm, compile_.metadata = outputs(source, target, options)
        ended = processor_seconds()
        write_trace(path, facts_of(compile_))
        return ended - began, processor_seconds() - ended, path.stat().st_size

    plain()
    rounds = [(plain(), recorded_with(False), recorded_with(True)) for _ in range(ROUNDS)]
    alone, found = statistics.median(each[0] for each in rounds), []
    for at, kind in ((1, "without"), (2, "with")):
        made, behind, size = map(statistics.median, zip(*(each[at] for each in rounds)))
        print(f"{name:20} {arch} {kind:7} LLVM text: compile {alone:.2f} s, recorded {made:.2f} s ({made / alone:.2f}), behind it "
              f"{behind:.2f} s (all {(made + behind) / alone:.2f}), {size:,.0f} bytes", flush=True)
        found.append((made, behind))
    return alone, found


def print_costs(names, folder):
    """Times of the compiles as they are: until the program goes on, and with what the process does that writes traces."""
    every = [print_cost(name, arch, folder / "cost.trace") for arch in TARGETS for name in names
             if arch != "sm_80" or name not in ONLY_HOPPER]
    alone = sum(each for each, _ in every)
    for at, kind in ((0, "without"), (1, "with")):
        made, behind = (sum(found[at][part] for _, found in every) for part in (0, 1))
        print(f"{kind} text of the LLVM dialect: {made / alone:.2f} of the compiles until the program goes on, "
              f"{(made + behind) / alone:.2f} with all that is done behind it")
    began = processor_seconds()
    subprocess.run(writing.command(), stdin=subprocess.DEVNULL, env=writing.around(), check=True)
    print(f"the process that does so starts in {processor_seconds() - began:.2f} s, once a program")
    for name, arch, several in itertools.product(names, TARGETS, (1, SEVERAL_COMPILES)):
        plain, made = (statistics.median(program_seconds(name, arch, several, is_recorded) for _ in range(ROUNDS)) for is_recorded in (False, True))
        print(f"a program with {several} compiles of {name} for {arch}: {plain:.2f} s, recorded {made:.2f} s ({made / plain:.2f})", flush=True)


def program_seconds(name, arch, several, is_recorded):
    """From its start to its end, as who runs it waits: of a program that compiles a kernel, or that and others like it."""
    begin = "import tilescope.start; " * is_recorded
    program = f"import sys; sys.path[:0] = {[str(ROOT / 'python'), str(ROOT / 'tests/tools')]}; {begin}import check_triton; " \
              f"check_triton.compile_several({name!r}, {arch!r}, {several})"
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"TRITON_CACHE_DIR": f"{folder}/cache"} | ({"TILESCOPE_RECORD": f"{folder}/traces"} if is_recorded else {})
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", program], env=environment, check=True, stderr=subprocess.DEVNULL)
        seconds = time.perf_counter() - began
        traces = len(list(pathlib.Path(folder).glob("traces/*.trace")))
        assert traces == several * is_recorded, f"{traces} traces of {several} compiles"
        return seconds


def compile_several(name, arch, several):
    """With other numbers of stages, so that each is another program."""
    source, target, options = asked(name, arch)
    for stages in range(2, 2 + several):
        outputs(source, target, {**options, "num_stages": stages})


def asked(name, arch):
    """What Triton is asked to compile: (source, target, options)"""
    file, types, constants, options = KERNELS[name]
    kernel, target = kernel_files.kernel_in_file(str(ROOT / "testdata/triton" / file)), kernel_files.target_of(arch)
    return kernel_files.source_of(kernel, types, constants), target, options


def write_kept(folder):
    """From the root of the tree, so that no path is in them: a cubin has it, SASS has not."""
    os.chdir(ROOT)
    os.environ[device_code.WITH_SASS] = "1"
    for trace, (name, constants, arch) in KEPT.items():
        file, types, _, _ = KERNELS[name]
        kernel, target = kernel_files.kernel_in_file(f"testdata/triton/{file}"), kernel_files.target_of(arch)
        compile_ = Compile(kernel_files.source_of(kernel, types, constants), target, {})
        with passes_noted(), watched(compile_):
            compile_.asm, compile_.metadata = outputs(compile_.source, target, {})
        # The last state of the structured form is needed to place the flat one, which few passes change.
        compile_.asm["ptx"] = compile_.asm["ptx"].replace(f"{ROOT}/", "").replace(f'"{ROOT}"', '"."')
        path = folder / f"{trace}.trace"
        marks = [("recorder", check_recorded_traces.recorder_hash(of_triton=True))]
        write_trace(path, facts_of(compile_), marks, KEPT_STATES)
        text = path.read_text(encoding="utf-8")
        if str(ROOT) in text:
            raise SystemExit(f"{path}: it has the path of this tree")


def share_with_lines(path):
    """Of the operations in the text of the last state."""
    lines, now = [], []
    for record in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        if record["record"] == "lines":
            lines += record["lines"]
        elif record["record"] == "snapshot" and "full" in record:
            now = record["full"]
        elif record["record"] == "snapshot":
            # From the end, so that what is before keeps its place.
            for at, removed, inserted in reversed(record["edits"]):
                now = now[:at] + inserted + now[at + removed:]
    operations = [lines[number] for number in now if lines[number][1] is not None][1:]  # the module stands nowhere
    return sum(line[3] is not None for line in operations) / len(operations)


def verdicts(tilescope, path):
    run = subprocess.run([tilescope, "check", "--format", "json", path], capture_output=True, text=True)
    said = json.loads(run.stdout)
    return {question: said[question] for question in ("arenaSound", "hazardFree")}, run.stdout


def check(tilescope, name, arch, folder):
    """(whether hazards are decided, [what is wrong])"""
    path = folder / f"{name}-{arch}.trace"
    plain, looking, writing, wrong = recorded(name, arch, path)
    share, (said, text) = share_with_lines(path), verdicts(tilescope, path)
    print(f"{name:20} {arch:6} {plain:6.2f} s {looking:+6.2f} s {writing:5.2f} s {path.stat().st_size:9,} bytes "
          f"{share:6.1%} lines  arena {said['arenaSound']}, hazards {said['hazardFree']}", flush=True)
    if path.stat().st_size > SIZE_LIMIT:
        wrong.append(f"its trace has {path.stat().st_size:,} bytes")
    if share < LEAST_LINES:
        wrong.append(f"of its operations {share:.1%} have a line")
    if "no" in said.values() or said["arenaSound"] != "yes":
        wrong.append(f"unexpected verdicts: {text}")
    return said["hazardFree"] == "yes", [f"{name} {arch}: {one}" for one in wrong]


def wrong_releases(tilescope, folder):
    """[what is wrong] with the comparison of two releases, which installs them: of triton-lang/triton#11526."""
    command = [sys.executable, "-m", "tilescope", "record", ROOT / "testdata/triton/matmul_three.py", "-o", folder / "releases", "--target",
               "sm_89", "--triton", "3.9,3.8", "--signature", "*bf16:16 *fp32:16 *fp32:16 i32:16", "--constexpr", "BLOCK_M=64",
               "--constexpr", "BLOCK_N=64", "--constexpr", "BLOCK_K=32", "--constexpr", "PRECISION='tf32x3'", "--option", "num_stages=2"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "python"), "TILESCOPE_PROGRAMS": str(pathlib.Path(tilescope).resolve().parent)}
    run = subprocess.run(command, capture_output=True, text=True, env=environment)
    is_said = "peak 16,384 -> 28,672 bytes (+12,288)" in run.stdout and "who pays" in run.stdout
    return [] if is_said else [f"3.9 and 3.8 are not compared: {run.stdout}{run.stderr}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tilescope")
    parser.add_argument("--only", choices=KERNELS, help="this kernel alone")
    parser.add_argument("--out", type=pathlib.Path, help="keep the traces here")
    parser.add_argument("--write", type=pathlib.Path, help="write the traces that testdata keeps there, and check nothing")
    parser.add_argument("--cost", action="store_true", help="print what recording costs, and check nothing")
    given = parser.parse_args()
    triton.knobs.compilation.always_compile = True
    if given.cost:
        with tempfile.TemporaryDirectory() as folder:
            print_costs([given.only] if given.only else COST_KERNELS, pathlib.Path(folder))
        return 0
    if given.write:
        write_kept(given.write)
        return 0
    with contextlib.ExitStack() as stack:
        folder = given.out or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        names = [given.only] if given.only else list(KERNELS)
        checked = [check(given.tilescope, name, arch, folder) for arch in TARGETS for name in names
                   if arch != "sm_80" or name not in ONLY_HOPPER]
        found = [one for _, wrong in checked for one in wrong]
        decided = sum(is_decided for is_decided, _ in checked)
        print(f"hazards decided in {decided} of {len(checked)}")
        found += ["hazards are decided in too few"] * (decided < LEAST_DECIDED * len(checked) and not given.only)
        traces = sorted(folder.glob("*.trace"))
        faults = subprocess.run([sys.executable, ROOT / "tests/tools/plan_faults.py", given.tilescope, *traces])
        found += [] if given.only else wrong_releases(given.tilescope, folder)
    found += ["faults are missed"] * bool(faults.returncode)
    for one in found:
        print(one)
    print(f"triton: {len(found)} finding(s)" if found else "triton: ok")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
