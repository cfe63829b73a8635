"""The trace of one compile, written when it is over."""

import dataclasses
import inspect
import itertools
import pathlib

import triton

from tilescope import programs
from tilescope.recorder.trace_writer import MAJOR, MINOR, Writer, output
from tilescope.recorder.triton.again import Again
from tilescope.recorder.triton.device_code import device_record
from tilescope.recorder.triton.emitted import line_map
from tilescope.recorder.triton.llvm_text import LlvmTexts
from tilescope.recorder.triton.previews import previews_of
from tilescope.recorder.triton.requests import parameters_of
from tilescope.recorder.triton.states import Tables
from tilescope.recorder.triton.versions import is_in_full

ALLOCATES = "allocate_shared_memory"  # are in the names of the passes that do so
FLATTENS = "scf_to_cf"
THREADS = "ttg.num-warps"  # which a module has from TTGIR on
LEFT_OUT = {"id": "text-left-out", "text": "of the LLVM dialect neither text nor changes are recorded"}


OTHER = {"id": "other-compiler", "severity": "error",
         "text": "what each pass did is not known of all: done again, they make another program"}


@dataclasses.dataclass
class Facts:
    """Of a compile that is over, as another process can be told. `target`: as Triton names it to ptxas; `parts`, `lowered`, `lost`: as of
    hold.Compile; `error`: "", none. `launch`: {name, warps, shared}."""

    kernel: str
    file: str
    target: str
    capability: int
    warp_size: int
    parameters: list
    parts: list
    lowered: dict | None
    lost: str
    error: str
    ptx: str | None
    cubin: bytes | None
    launch: dict


def facts_of(compile_) -> Facts:
    target, made, error = compile_.target, compile_.metadata, compile_.error
    return Facts(compile_.source.name.lstrip("@"), file_of(compile_.source), target_name(target), int(target.arch),
                 target.warp_size, parameters_of(compile_), compile_.parts, compile_.lowered, compile_.lost,
                 f"{type(error).__name__}: {error}" if error is not None else "", compile_.asm.get("ptx"), compile_.asm.get("cubin"),
                 {"name": made["name"], "warps": made["num_warps"], "shared": made["shared"]} if made else {})


def file_of(source) -> str:
    function = getattr(source, "fn", None)
    if function is None:
        return str(getattr(source, "path", ""))
    return inspect.getsourcefile(function.fn) or ""


def write_trace(path, facts: Facts, marks=(), keeps=None):
    """`marks`: (name, value) of the first record. `keeps`: names of the steps to write, None: all."""
    with output(path) as name, open(name, "wb") as out:
        write_records(Writer(out), facts, dict(marks), keeps)


def write_records(writer, facts, marks, keeps):
    is_text = facts.file and pathlib.Path(facts.file).is_file()
    text = pathlib.Path(facts.file).read_text(encoding="utf-8", errors="replace") if is_text else ""
    writer.record("trace", major=MAJOR, minor=MINOR, tool=programs.version(), compiler=f"triton {triton.__version__}",
                  file=facts.file, fileText=text, function=facts.kernel, target=facts.target, parameters=facts.parameters, **marks)
    again, said = Again(), [facts.lost and f"not recorded: {facts.lost}", facts.error]
    steps = [step for step in again.steps(facts.parts) if keeps is None or step.name in keeps]
    tables, texts = Tables(facts.file, facts.kernel, facts.lowered, facts.ptx or ""), LlvmTexts()
    previews = previews_by_step(steps, facts.capability)
    for at, step in enumerate(steps):
        write_pass(writer, tables, texts, step, previews.get(at))
    diagnostics = [OTHER] * again.is_other + [OTHER | {"text": each} for each in said if each]
    if diagnostics:
        writer.record("diagnostics", diagnostics=diagnostics)
    if facts.ptx is not None:
        write_ptx(writer, facts, tables)
    writer.record("index", passEnds=writer.pass_ends, lastFull=writer.last_full, records=list(writer.records))


def previews_by_step(steps, capability) -> dict:
    """What Triton's allocation would do with the states in TTGIR before it runs; of a release that does not say all of those
    behind it, of these too."""
    asked = itertools.takewhile(lambda step: not (is_in_full() and ALLOCATES in step.name), steps)
    states = [(at, step.text) for at, step in enumerate(asked) if step.whole is not None and THREADS in step.whole.integers]
    found = previews_of([text for _, text in states], capability)
    return {at: preview for (at, _), preview in zip(states, found)}


def write_pass(writer, tables, texts, step, preview):
    writer.record("passBegin", name=step.name)
    remarks = []
    tables.is_allocated |= ALLOCATES in step.name
    tables.is_flat |= tables.is_allocated or FLATTENS in step.name
    if step.whole is not None:
        writer.state(*tables.state(step.text, step.whole, preview))
    elif step.text is not None:
        writer.state([(line, None, 0, False) for line in texts.lines_of(step.text)], {})
    elif step.is_llvm:
        remarks = [LEFT_OUT]
    has_changed = step.text is not None or bool(remarks)
    status = "failed" if step.has_failed else "changed" if has_changed else "unchanged"
    writer.pass_end(step.name, 0, status, step.seconds, remarks)


def write_ptx(writer, facts, tables):
    writer.record("passBegin", name="emit-ptx")
    writer.pass_end("emit-ptx", 0, "unchanged", 0.0)
    lines = line_map(facts.ptx, tables)
    writer.record("cuda", language="ptx", text=facts.ptx, **({"map": lines} if lines else {}))
    launch = facts.launch
    writer.record("launches", launches=[{"kernel": launch["name"], "grid": ["grid_x", "grid_y", "grid_z"],
                                         "threads": launch["warps"] * facts.warp_size, "dynamicSharedBytes": str(launch["shared"])}])
    if facts.cubin is not None:
        writer.record("device", **device_record(facts.cubin))


def target_name(target) -> str:
    """As Triton names it to ptxas."""
    return f"sm_{target.arch}{'a' if int(target.arch) >= 90 else ''}"
