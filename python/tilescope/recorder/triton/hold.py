"""What is held of one compile while it runs: of each pass manager the text of the module before and behind it, and which passes
it has. What each of these did is found out when the compile is over (again.py).

Modules in the LLVM dialect are an order larger; of these only the barriers are counted, once, unless their text is asked
for. What goes wrong in here is said in the trace, and the compile goes on."""

import contextlib
import dataclasses
import itertools
import time

from tilescope.recorder.triton.block_arguments import locations_of
from tilescope.recorder.triton.managers import WATCHER
from tilescope.recorder.triton.module_copy import lowered_at


@dataclasses.dataclass
class Step:
    """One pass. `text` and `whole`, a copy of the module: None if it left them alone; `whole` of the LLVM dialect too. `preview`: as of
    Previews."""

    name: str
    seconds: float = 0.0
    text: str | None = None
    whole: object = None
    preview: object = None
    is_llvm: bool = False
    has_failed: bool = False


@dataclasses.dataclass
class Run:
    """Of one manager. `noted`: its passes, None: not all are known. `before`, `after`: the text of the module, with locations; `after` is
    empty if it has failed. `locations`: of the arguments of blocks before it."""

    noted: list | None
    stage: tuple
    before: str
    locations: list = dataclasses.field(default_factory=list)
    after: str = ""
    seconds: float = 0.0
    has_failed: bool = False


class Compile:
    """`source` is what Triton was asked to compile, for `target` with `options`; `asm` and `metadata` are what it made.
    `parts`: each a Run, or a Step in the LLVM dialect. `error`: why it ended; `lost`: why a state was not recorded, from which on
    none is. `over` is told of each Run that is over."""

    NUMBERS = itertools.count()

    def __init__(self, source=None, target=None, options=None, with_llvm=False, over=None):
        self.number = next(self.NUMBERS)
        self.source, self.target, self.options, self.with_llvm = source, target, options, with_llvm
        self.over = over
        self.parts, self.as_written, self.text = [], None, None
        self.lowered = self.error = None
        self.lost, self.asm, self.metadata = "", {}, {}
        self.is_llvm = False
        self.looking_seconds = 0.0  # of this thread, that looking adds to the compile

    def together(self, noted, module, stage, run):
        if self.is_llvm:
            return self.alone("several passes", module, lambda: run(module, *stage))
        made = Run(noted, stage, "")
        self.parts.append(made)
        self.looked(self.begin, made, module)
        began = time.perf_counter()
        try:
            run(module, *stage)
        except BaseException:
            made.has_failed = True
            raise
        made.seconds = time.perf_counter() - began
        self.looked(self.end, made, module)
        if self.over is not None and not self.lost:
            self.looked(self.over, self, made)
        return None

    def begin(self, made, module):
        if self.as_written is None:
            self.as_written = module.str_nodebug()
        made.locations = locations_of(module)
        made.before = module.str()

    def end(self, made, module):
        made.after = module.str()

    def alone(self, name, module, run):
        """In the LLVM dialect, or into it."""
        self.is_llvm = True
        made = Step(name, is_llvm=True)
        self.parts.append(made)
        began = time.perf_counter()
        try:
            run()
        except BaseException:
            made.has_failed = True
            raise
        made.seconds = time.perf_counter() - began
        self.looked(self.look, made, module)

    def look(self, made, module):
        if self.lowered is None:
            self.lowered = lowered_at(module)
        if self.with_llvm:
            text = module.str_nodebug()
            if text != self.text:
                made.text = self.text = text

    def looked(self, look, *given):
        """Does it, unless something was lost before."""
        if self.lost:
            return
        began = time.thread_time()
        try:
            look(*given)
        except Exception as error:
            self.lost = f"{type(error).__name__}: {error}"
        finally:
            self.looking_seconds += time.thread_time() - began


@contextlib.contextmanager
def watched(compile_):
    """The passes that this thread runs in the block are those of the compile."""
    token = WATCHER.set(compile_)
    try:
        yield compile_
    finally:
        WATCHER.reset(token)
