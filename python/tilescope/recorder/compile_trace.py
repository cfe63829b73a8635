"""The trace of one compile, written when it is over."""

import gc
import pathlib

import tilelang

from tilescope import programs
from tilescope.recorder.buffers import real_path
from tilescope.recorder.cuda_lines import NotMapped, line_map
from tilescope.recorder.launches import launch_of
from tilescope.recorder.passes import line_of_passes
from tilescope.recorder.remarks import State, remarks_of
from tilescope.recorder.states import Tables
from tilescope.recorder.trace_writer import MAJOR, MINOR, Writer, output


def write_trace(path, compile_, file="", parameters=(), kernel="", marks=()):
    """`kernel`: the name that users know it by; "": that of its function. `marks`: (name, value) of the first record."""
    # There is no garbage yet, and looking for it means all that the program has loaded.
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        with output(path) as name, open(name, "wb") as out:
            write_records(Writer(out), compile_, file, parameters, kernel, dict(marks))
    finally:
        if is_collecting:
            gc.enable()


def write_records(writer, compile_, file, parameters, kernel, marks):
    passes = line_of_passes(compile_)
    function, (_, body) = next(iter(passes[0][1].items()))
    tables = Tables(function)
    file = file or tables.buffers.find_file(body)
    text = pathlib.Path(file).read_text(encoding="utf-8", errors="replace") if file else ""
    writer.record("trace", major=MAJOR, minor=MINOR, tool=programs.version(), compiler=f"tilelang {tilelang.__version__}",
                  file=str(file), fileText=text, function=kernel or function, target=target_name(compile_),
                  parameters=list(parameters), **marks)
    tables.buffers.file = real_path(file)
    for index, (step, functions) in enumerate(passes):
        after = next((changed for _, changed in passes[index + 1:] if changed is not None), None)
        write_pass(writer, tables, step, functions, after, compile_.config)
    if compile_.error is not None:
        text = f"{type(compile_.error).__name__}: {compile_.error}"
        writer.record("diagnostics", diagnostics=[{"id": "other-compiler", "severity": "error", "text": text}])
    if compile_.emitted is not None:
        write_cuda(writer, compile_, passes, tables)
        writer.record("launches", launches=[launch_of(name, function, tables.buffers)
                                            for name, (_, function) in compile_.kernels.items()])
    writer.record("index", passEnds=writer.pass_ends, lastFull=writer.last_full, records=list(writer.records))


def write_cuda(writer, compile_, passes, tables):
    writer.record("passBegin", name="emit-cuda")
    lines, remarks = [], []
    others = sorted(set(compile_.emitted_with) - set(compile_.kernels))
    if others:
        remarks.append({"id": "cuda-of-several", "text": f"one module of CUDA, with {', '.join(others)}"})
    try:
        lines = line_map(compile_, passes, tables)
    except NotMapped as reason:
        remarks.append({"id": "cuda-not-mapped", "text": f"the CUDA is not mapped to statements: {reason}"})
    writer.pass_end("emit-cuda", 0, "unchanged", compile_.emit_seconds, remarks)
    writer.record("cuda", text=compile_.emitted.inspect_source(), **({"map": lines} if lines else {}))


def write_pass(writer, tables, step, functions, after, options):
    """`functions`: the program after it, None: it did not change it; `after`: as `Tables.state` takes it; `options`: of
    passes, None where the compile ended before that is known."""
    name, remarks = step.name if step else "elaborate", []
    writer.record("passBegin", name=name)
    tables.buffers.is_merged |= name == "tl.MergeSharedMemoryAllocations"
    tables.buffers.is_laid_out |= name == "tl.LayoutInference"
    if functions is not None:
        before = {buffer.id: buffer.layout for buffer in tables.buffers.now}
        lines, parts = tables.state(functions, after)
        writer.state(lines, parts)
        remarks = remarks_of(name, tables.buffers, before, State(lines, parts, tables.loop_layouts(), options))
    has_failed = step is not None and step.after is None
    status = "failed" if has_failed else "changed" if functions is not None else "unchanged"
    seconds = 0 if step is None or has_failed else step.ended - step.began
    writer.pass_end(name, step.depth if step else 0, status, seconds, remarks)


def target_name(compile_):
    target = compile_.target
    if target is None:
        attributes = (f.attrs for _, f in compile_.steps[-1][1].before.values() if f.attrs)
        target = next((a["target"] for a in attributes if "target" in a), None)
    return str(target.attrs.get("arch", "")) if target is not None else ""
