"""The trace of one compile, written when it is over."""

import inspect
import itertools
import pathlib
import subprocess

import triton

from tilescope import programs
from tilescope.recorder.trace_writer import MAJOR, MINOR, Writer, output
from tilescope.recorder.triton.device_code import device_record
from tilescope.recorder.triton.emitted import line_map
from tilescope.recorder.triton.previews import previews_of
from tilescope.recorder.triton.requests import parameters_of
from tilescope.recorder.triton.states import Tables
from tilescope.recorder.triton.versions import is_in_full

ALLOCATES = "allocate_shared_memory"  # are in the names of the passes that do so
FLATTENS = "scf_to_cf"
THREADS = "ttg.num-warps"  # which a module has from TTGIR on
LEFT_OUT = {"id": "text-left-out", "text": "of the LLVM dialect neither text nor changes are recorded"}


def write_trace(path, compile_, marks=()):
    """`marks`: (name, value) of the first record."""
    with output(path) as name, open(name, "wb") as out:
        write_records(Writer(out), compile_, dict(marks))


def file_of(source) -> str:
    function = getattr(source, "fn", None)
    if function is None:
        return str(getattr(source, "path", ""))
    return inspect.getsourcefile(function.fn) or ""


def write_records(writer, compile_, marks):
    file = file_of(compile_.source)
    is_text = file and pathlib.Path(file).is_file()
    text = pathlib.Path(file).read_text(encoding="utf-8", errors="replace") if is_text else ""
    kernel = compile_.source.name.lstrip("@")
    writer.record("trace", major=MAJOR, minor=MINOR, tool=programs.version(), compiler=f"triton {triton.__version__}",
                  file=file, fileText=text, function=kernel, target=target_name(compile_.target),
                  parameters=parameters_of(compile_), **marks)
    tables, previews = Tables(file, kernel, compile_.lowered, compile_.asm.get("ptx", "")), previews_by_step(compile_)
    for at, step in enumerate(compile_.steps):
        write_pass(writer, tables, step, previews.get(at))
    said = [f"not recorded: {compile_.lost}"] if compile_.lost else []
    if compile_.error is not None:
        said.append(f"{type(compile_.error).__name__}: {compile_.error}")
    if said:
        writer.record("diagnostics", diagnostics=[{"id": "other-compiler", "severity": "error", "text": each}
                                                  for each in said])
    if "ptx" in compile_.asm:
        write_ptx(writer, compile_, tables)
    writer.record("index", passEnds=writer.pass_ends, lastFull=writer.last_full, records=list(writer.records))


def previews_by_step(compile_) -> dict:
    """What Triton's allocation would do with the states in TTGIR before it runs; of a release that does not say all of those
    behind it, of these too."""
    asked = itertools.takewhile(lambda step: not (is_in_full() and ALLOCATES in step.name), compile_.steps)
    states = [(at, step.text) for at, step in enumerate(asked) if step.whole is not None and THREADS in step.whole.integers]
    try:
        found = previews_of([text for _, text in states], int(compile_.target.arch))
    except (OSError, subprocess.SubprocessError):
        return {}
    return {at: preview for (at, _), preview in zip(states, found)}


def write_pass(writer, tables, step, preview):
    writer.record("passBegin", name=step.name)
    remarks = []
    tables.is_allocated |= ALLOCATES in step.name
    tables.is_flat |= tables.is_allocated or FLATTENS in step.name
    if step.whole is not None:
        writer.state(*tables.state(step.text, step.whole, preview))
    elif step.text is not None:
        writer.state([(line, None, 0, False) for line in step.text.split("\n")], {})
    elif step.is_llvm:
        remarks = [LEFT_OUT]
    has_changed = step.text is not None or bool(remarks)
    status = "failed" if step.has_failed else "changed" if has_changed else "unchanged"
    writer.pass_end(step.name, 0, status, step.seconds, remarks)


def write_ptx(writer, compile_, tables):
    text = compile_.asm["ptx"]
    writer.record("passBegin", name="emit-ptx")
    writer.pass_end("emit-ptx", 0, "unchanged", 0.0)
    lines = line_map(text, tables)
    writer.record("cuda", language="ptx", text=text, **({"map": lines} if lines else {}))
    threads = compile_.metadata["num_warps"] * compile_.target.warp_size
    writer.record("launches", launches=[{"kernel": compile_.metadata["name"], "grid": ["grid_x", "grid_y", "grid_z"],
                                         "threads": threads, "dynamicSharedBytes": str(compile_.metadata["shared"])}])
    if "cubin" in compile_.asm:
        writer.record("device", **device_record(compile_.asm["cubin"]))


def target_name(target) -> str:
    """As Triton names it to ptxas."""
    return f"sm_{target.arch}{'a' if int(target.arch) >= 90 else ''}"
