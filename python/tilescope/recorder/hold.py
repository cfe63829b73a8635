"""What is held of a compile while TileLang's own compiler runs: references to the functions before and after each pass.

They are immutable, so they are printed and walked when it is over, and what is compiled cannot depend on it."""

import contextlib
import dataclasses
import itertools
import time

from tilelang import instrumentation, tvm

NUMBERS = itertools.count()  # several may record at once
from tilescope.recorder.callers import callers_noted



@dataclasses.dataclass
class Step:
    """One pass that ran. The functions are by name, as the pass took and left them; `after` is None if it failed."""

    name: str
    depth: int
    before: dict
    began: float
    after: dict | None = None
    ended: float = 0.0


# A module may be changed in place, so its functions are held.
def functions_of(module):
    return {name.name_hint: (name, function) for name, function in module.functions.items()}


@tvm.ir.instrument.pass_instrument
class HoldFunctions:
    def __init__(self, compile_):
        self.compile = compile_

    def run_before_pass(self, module, info):
        step = Step(str(info.name), len(self.compile.open), functions_of(module), time.perf_counter())
        self.compile.open.append(step)
        self.compile.steps.append(("begin", step))

    def run_after_pass(self, module, info):
        if not self.compile.open:
            return
        step = self.compile.open.pop()
        step.ended = time.perf_counter()
        step.after = functions_of(module)
        self.compile.steps.append(("end", step))


class Compile(instrumentation.PassInstrumentationTool):
    """All that is held of one compile: its passes in order, nested ones inside, and the emitted module with the pass
    configuration that it was emitted with. `ended` is called when it is over; `request` is what was asked for, if that is known."""

    def __init__(self, request=None, ended=lambda compile_: None):
        self.request, self.ended = request, ended
        self.open, self.steps = [], []
        self.emitted = self.target = self.kernels = self.config = self.error = None
        self.emit_seconds = 0.0

    def create_pass_instrument(self):
        return HoldFunctions(self)

    def run_codegen(self, event, next_call):
        began = time.perf_counter()
        module = next_call()
        if event.target.kind.name == "cuda":
            self.emit_seconds = time.perf_counter() - began
            self.emitted, self.target, self.kernels = module, event.target, functions_of(event.mod)
            self.config = dict(tvm.transform.PassContext.current().config)
        return module

    def finish(self, error):
        self.error = error
        self.ended(self)


@contextlib.contextmanager
def held_compiles(begin):
    """`begin` makes a Compile for each compile in the block, whichever thread it runs in."""
    name = f"tilescope-{next(NUMBERS)}"
    instrumentation.register_pass_instrumentation_tool(name, begin)
    try:
        with callers_noted():
            yield
    finally:
        instrumentation.unregister_pass_instrumentation_tool(name)
