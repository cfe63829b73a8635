"""The trace of one compile, written when it is over."""

import pathlib

import triton

from tilescope import programs
from tilescope.recorder.trace_writer import MAJOR, MINOR, Writer, output
from tilescope.recorder.triton.again import Again
from tilescope.recorder.triton.device_code import device_record
from tilescope.recorder.triton.emitted import line_map
from tilescope.recorder.triton.facts import Facts
from tilescope.recorder.triton.llvm_text import LlvmTexts
from tilescope.recorder.triton.previews import Previews
from tilescope.recorder.triton.states import Tables
from tilescope.recorder.triton.versions import is_in_full

ALLOCATES = "allocate_shared_memory"  # are in the names of the passes that do so
FLATTENS = "scf_to_cf"
THREADS = "ttg.num-warps"  # which a module has from TTGIR on
LEFT_OUT = {"id": "text-left-out", "text": "of the LLVM dialect neither text nor changes are recorded"}


OTHER = {"id": "other-compiler", "severity": "error",
         "text": "what each pass did is not known of all: done again, they make another program"}


class Found:
    """What each pass did, of those parts of a compile that are over: `steps`, as of Again; `count`: of the parts."""

    def __init__(self, capability: int):
        self.again, self.capability = Again(), capability
        self.steps, self.count, self.is_allocated = [], 0, False
        self.asked = []  # previews, and the steps that these are of

    def add(self, part):
        self.count += 1
        new = self.again.add(part)
        self.ask_previews(new)
        self.steps += new

    def ask_previews(self, steps):
        """What Triton's allocation would do with the states in TTGIR before it runs; of a release that does not say all of those
        behind it, of these too."""
        asked = []
        for step in steps:
            self.is_allocated |= ALLOCATES in step.name
            if step.whole is not None and THREADS in step.whole.integers and not (self.is_allocated and is_in_full()):
                asked.append(step)
        if asked:
            self.asked.append((Previews([step.text for step in asked], self.capability), asked))

    def take_previews(self):
        for previews, steps in self.asked:
            for step, preview in zip(steps, previews.take()):
                step.preview = preview
        self.asked = []


def write_trace(path, facts: Facts, marks=(), keeps=None, found: Found | None = None):
    """`marks`: (name, value) of the first record. `keeps`: names of the steps to write, None: all. `found`: what was found out while the
    compile went on, of its first parts."""
    found = found or Found(facts.capability)
    for part in facts.parts[found.count:]:
        found.add(part)
    found.take_previews()
    with output(path) as name, open(name, "wb") as out:
        write_records(Writer(out), facts, dict(marks), [step for step in found.steps if keeps is None or step.name in keeps],
                      found.again.is_other)


def write_records(writer, facts, marks, steps, is_other):
    is_text = facts.file and pathlib.Path(facts.file).is_file()
    text = pathlib.Path(facts.file).read_text(encoding="utf-8", errors="replace") if is_text else ""
    writer.record("trace", major=MAJOR, minor=MINOR, tool=programs.version(), compiler=f"triton {triton.__version__}",
                  file=facts.file, fileText=text, function=facts.kernel, target=facts.target, parameters=facts.parameters, **marks)
    said = [facts.lost and f"not recorded: {facts.lost}", facts.error]
    tables, texts = Tables(facts.file, facts.kernel, facts.lowered, facts.ptx or ""), LlvmTexts()
    for step in steps:
        write_pass(writer, tables, texts, step)
    diagnostics = [OTHER] * is_other + [OTHER | {"text": each} for each in said if each]
    if diagnostics:
        writer.record("diagnostics", diagnostics=diagnostics)
    if facts.ptx is not None:
        write_ptx(writer, facts, tables)
    writer.record("index", passEnds=writer.pass_ends, lastFull=writer.last_full, records=list(writer.records))


def write_pass(writer, tables, texts, step):
    writer.record("passBegin", name=step.name)
    remarks = []
    tables.is_allocated |= ALLOCATES in step.name
    tables.is_flat |= tables.is_allocated or FLATTENS in step.name
    if step.whole is not None:
        writer.state(*tables.state(step.text, step.whole, step.preview))
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
