"""What is held of one compile: after each pass its text and a copy of its operations, if the pass changed the module.

Modules in the LLVM dialect are an order larger; of these only the barriers are counted, once, unless their text is asked
for. What goes wrong in here is said in the trace, and the compile goes on."""

import contextlib
import dataclasses
import time

from tilescope.recorder.triton.branches import mark_successors
from tilescope.recorder.triton.module_copy import copy_of, lowered_at
from tilescope.recorder.triton.partitions import mark_warps
from tilescope.recorder.triton.passes_alone import WATCHER

TO_LLVM = ("ttgpuir.to_llvmir", "to_llvmir")


@dataclasses.dataclass
class Step:
    """One pass. `text` and `whole`, a copy of the module: None if it left them alone; `whole` of the LLVM dialect too."""

    name: str
    seconds: float = 0.0
    text: str | None = None
    whole: object = None
    is_llvm: bool = False
    has_failed: bool = False


class Compile:
    """`source` is what Triton was asked to compile, for `target` with `options`; `asm` and `metadata` are what it made.
    `error`: why it ended; `lost`: why a state was not recorded, from which on none is."""

    def __init__(self, source=None, target=None, options=None, with_llvm=False):
        self.source, self.target, self.options, self.with_llvm = source, target, options, with_llvm
        self.steps, self.text = [], None
        self.lowered = self.error = None
        self.lost, self.asm, self.metadata = "", {}, {}
        self.is_llvm = False
        self.looking_seconds = 0.0  # of this thread, that recording adds to the compile

    def around(self, name, module, run):
        if not self.steps:
            self.look("as written", module, 0.0)
        began = time.perf_counter()
        try:
            run()
        except BaseException:
            self.steps.append(Step(name, time.perf_counter() - began, has_failed=True))
            raise
        seconds = time.perf_counter() - began
        self.is_llvm |= name.endswith(TO_LLVM)
        self.look(name, module, seconds)

    def look(self, name, module, seconds):
        began = time.thread_time()
        self.copy(name, module, seconds)
        self.looking_seconds += time.thread_time() - began

    def copy(self, name, module, seconds):
        step = Step(name, seconds, is_llvm=self.is_llvm)
        self.steps.append(step)
        if self.lost:
            return
        try:
            if self.is_llvm and self.lowered is None:
                self.lowered = lowered_at(module)
            if self.is_llvm and not self.with_llvm:
                return
            text = module.str_nodebug()
            if text != self.text:
                step.text = self.text = text
                step.whole = None if self.is_llvm else copy_of(module)
                if step.whole is not None:
                    mark_successors(step.whole, text)
                    mark_warps(step.whole, text)
        except Exception as error:
            self.lost = f"{type(error).__name__}: {error}"


@contextlib.contextmanager
def watched(compile_):
    """The passes that this thread runs in the block are those of the compile."""
    token = WATCHER.set(compile_)
    try:
        yield compile_
    finally:
        WATCHER.reset(token)
