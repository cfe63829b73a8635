#!/usr/bin/env python3
"""TileLang's own compiler with and without the recorder: the same CUDA, what recording costs, how large the traces are,
and what Tilescope says of them. Run by `./dev peer` with the Python of .peer/, where TileLang is installed.

Usage: check_peer.py TILESCOPE [--rounds N] [--out FOLDER] [--write FOLDER] [--kernel FILE:FUNCTION,NAME=VALUE,...]"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
from tilescope import kernel_files  # noqa: E402
from tilescope.recorder.compile_trace import write_trace  # noqa: E402
from tilescope.recorder.hold import Compile, held_compiles  # noqa: E402
from tilescope.recorder.trace_writer import ENCODER  # noqa: E402
import check_recorded_traces  # noqa: E402

KERNELS = [
    "testdata/kernels/gemm_relu_lazy.py:matmul,M=1024,N=1024,K=1024",
    "testdata/kernels/attention_fwd.py:attention,heads=32,length=4096,block_M=128,block_N=128,num_stages=2",
]
TARGETS = ["sm_80", "sm_90a"]
# What testdata/traces keeps: (name, kernel, target). Small: a trace is mostly text.
# The last state alone, with the lines of its statements.
KEPT_SMALL = [
    ("roles_gemm_sm_90a", "testdata/kernels/gemm_relu_lazy.py:matmul,M=256,N=256,K=256,block_M=64,block_N=64,num_stages=2,"
     "stage_output=true", "sm_90a"),
    ("roles_attention_sm_90a", "testdata/kernels/attention_fwd.py:attention,length=256,dim=64,num_stages=2", "sm_90a"),
]
# And of these the kernel's text and the CUDA too.
KEPT_WITH_CUDA = [
    ("lines_gemm_sm_90a", "testdata/kernels/gemm_relu.py:matmul,M=256,N=256,K=256,block_M=64,block_N=64,num_stages=2", "sm_90a"),
]
# Of these the states after these passes and the last.
KEPT_STATES = ("elaborate", "tl.PipelinePlanning", "tl.ProducerConsumerWarpSpecialized", "tl.LayoutInference",
               "tl.LowerTileOp", "tl.MergeSharedMemoryAllocations")
KEPT_PARTLY = [
    ("stages_gemm_sm_80", "testdata/kernels/gemm_relu_lazy.py:matmul,M=256,N=256,K=256,block_M=64,block_N=64,num_stages=2",
     "sm_80"),
    ("stages_attention_sm_90a", "testdata/kernels/attention_fwd.py:attention,length=384,dim=64,num_stages=2", "sm_90a"),
]
# What recording may add to the time that lowering takes: the hooks while TileLang lowers, and the whole, with writing the
# trace after it, for which no compile waits. A lowering can be so short that printing its programs, which TVM does, takes 25 %
# of it; so the whole may always take SHORT seconds.
HOOKS_LIMIT = 0.05
WHOLE_LIMIT = 0.25
SHORT = 0.5
SIZE_LIMIT = 1_000_000  # bytes of a trace


def kernel_of(text):
    """(file, kernel, arguments) of FILE:FUNCTION,NAME=VALUE,..."""
    name, *settings = text.split(",")
    file, _, function = name.rpartition(":")
    kernel, _ = kernel_files.kernel_in_file(name)
    return file, kernel, kernel_files.arguments_of(settings, kernel)


def timed(action):
    began = time.process_time()
    result = action()
    return result, time.process_time() - began


def record(text, target, path, marks=()):
    """The CUDA, CPU seconds of lowering, and those of writing the trace."""
    file, kernel, arguments = kernel_of(text)
    compile_ = Compile()
    with held_compiles(lambda: compile_):
        artifact, seconds = timed(lambda: kernel_files.lower(kernel, arguments, kernel_files.target_of(target)))
    parameters = kernel_files.parameters_of(kernel, arguments)
    _, after = timed(lambda: write_trace(path, compile_, file, parameters, kernel_files.name_of(kernel), marks))
    return artifact.kernel_source, seconds, after


def lower(text, target):
    _, kernel, arguments = kernel_of(text)
    artifact, seconds = timed(lambda: kernel_files.lower(kernel, arguments, kernel_files.target_of(target)))
    return artifact.kernel_source, seconds


def questions_of(tilescope, trace, text, target):
    """Commands that a trace of theirs must answer: every view, and the same file compiled by us beside it."""
    kernel, *settings = text.split(",")
    ours = [kernel, *(word for setting in settings for word in ("--set", setting)), "--target", target]
    views = ("passes", "ir", "arena", "lifetimes", "stages", "cuda", "findings")
    return [*([tilescope, "show", view, trace] for view in views), [tilescope, "why", trace, "--peak"],
            [tilescope, "find", trace, "peak > 0"], [tilescope, "diff", trace, *ours],
            [tilescope, "export", trace, "--format", "html", "-o", trace.with_suffix(".html")],
            [f"{tilescope}-view", trace, "--screenshot", trace.with_suffix(".png")]]


def answers_of(tilescope, trace, text, target):
    """What `check` says, in a line, and the questions without an answer."""
    check = subprocess.run([tilescope, "check", trace], capture_output=True, text=True)
    words = [line.strip().split(":")[0] for line in check.stdout.splitlines() if line.startswith("  ")]
    asked = [subprocess.run(question, capture_output=True, text=True)
             for question in questions_of(tilescope, trace, text, target)]
    # Nothing is found where there is no shared memory.
    open_ = [" ".join(map(str, run.args[1:3])) for run in asked if run.returncode > (run.args[1] == "find")]
    return "; ".join(words), open_ + (["check"] if check.returncode > 1 else [])


def check_one(tilescope, text, target, rounds, out):
    path = out / f"{pathlib.Path(text.partition(':')[0]).stem}_{target}.trace"
    lower(text, target)  # imports, caches
    plain, recorded, writing, sources = [], [], [], set()
    for _ in range(rounds):
        source, seconds = lower(text, target)
        plain.append(seconds)
        sources.add(source)
        source, seconds, after = record(text, target, path)
        recorded.append(seconds)
        writing.append(after)
        sources.add(source)
    # The least of all rounds: what else the machine does only adds.
    before, after = min(plain), min(writing)
    hooks = min(recorded) / before - 1
    whole = hooks + after / before
    size = path.stat().st_size
    answers, without = answers_of(tilescope, path, text, target)
    print(f"{path.stem}: lowering {before:.2f} s of CPU; hooks {hooks:+.1%}, writing {after:.2f} s, "
          f"whole {whole:+.1%}; {size:,} bytes\n  {answers}")
    findings = [] if len(sources) == 1 else ["the CUDA differs"]
    findings += [] if hooks <= HOOKS_LIMIT else [f"the hooks add {hooks:.1%} to lowering"]
    findings += [] if whole <= max(WHOLE_LIMIT, SHORT / before) else [f"recording adds {whole:.1%} to lowering"]
    findings += [] if size <= SIZE_LIMIT else [f"the trace has {size:,} bytes"]
    findings += [f"tilescope has no answer to: {question}" for question in without]
    return [f"{path.stem}: {finding}" for finding in findings]


def keep(folder):
    """Writes what testdata keeps, with the hash of what wrote it: `house` says when that has changed since."""
    marks = [("recorder", check_recorded_traces.recorder_hash())]
    for name, text, target in KEPT_SMALL + KEPT_WITH_CUDA + KEPT_PARTLY:
        record(text, target, folder / f"{name}.trace", marks)
    for name, *_ in KEPT_SMALL:
        keep_states(folder / f"{name}.trace", without=("fileText",))
    for name, *_ in KEPT_WITH_CUDA:
        keep_states(folder / f"{name}.trace", with_cuda=True)
    for name, *_ in KEPT_PARTLY:
        keep_states(folder / f"{name}.trace", KEPT_STATES)


def keep_states(path, names=(), with_cuda=False, without=()):
    """Rewrites a trace with the states after some passes and the last, without some fields of its first record."""
    lines, text, last, kept = [], [], {}, []
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    final = max(i for i, record in enumerate(records) if record["record"] == "passEnd")
    for i, record in enumerate(records):
        lines += record.get("lines", [])
        if record["record"] == "snapshot":
            for at, removed, inserted in reversed(record.get("edits", [])):
                text[at:at + removed] = inserted
            text = record.get("full", text)
        last[record["record"]] = record
        is_wanted = i == final or (record.get("name") in names and record.get("status") == "changed")
        if record["record"] == "passEnd" and is_wanted:
            index = sum(kind["record"] == "passEnd" for kind in kept)
            kept += state_of(index, [lines[number] for number in text], last, with_cuda)
    header = {name: value for name, value in last["trace"].items() if name not in without}
    ends = [last["launches"]] * bool(names) + [last["cuda"]] * with_cuda
    path.write_text("".join(ENCODER.encode(record) + "\n" for record in [header, *numbered(kept), *ends,
                                                                         {"record": "index"}]), encoding="utf-8")


def state_of(index, lines, last, with_all_buffers):
    """The records of one state. Of its lines those of statements."""
    used = {buffer["id"] for function in last["accesses"]["accesses"] for buffer in function["program"]["buffers"]}
    buffers = [buffer for buffer in last["buffers"]["buffers"] if with_all_buffers or buffer["id"] in used or buffer.get("layout")]
    end = last["passEnd"]
    passed = {"record": "passEnd", "index": index, "name": end["name"], "status": "changed", "snapshot": index}
    return [{"record": "lines", "lines": [line for line in lines if line[1] is not None]},
            {"record": "buffers", "buffers": buffers},
            *(last[part] for part in ("accesses", "arenas", "pipelines") if part in last),
            passed | ({"remarks": end["remarks"]} if "remarks" in end else {})]


def numbered(records):
    """Lines with the snapshot of them behind."""
    count = 0
    for record in records:
        if record["record"] == "lines":
            new = record["lines"]
            yield {"record": "lines", "count": len(new), "lines": new}
            record = {"record": "snapshot", "full": list(range(count, count + len(new)))}
            count += len(new)
        yield record


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("--kernel", action="append", metavar="FILE:FUNCTION,NAME=VALUE,...")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "peer")
    parser.add_argument("--write", type=pathlib.Path, help="write the traces that testdata keeps there, and check nothing")
    given = parser.parse_args()
    if given.write:
        return keep(given.write)
    given.out.mkdir(parents=True, exist_ok=True)
    findings = []
    for text in given.kernel or KERNELS:
        for target in TARGETS:
            findings += check_one(given.tilescope, text, target, given.rounds, given.out)
    print("\n".join(findings) or "peer: ok")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
