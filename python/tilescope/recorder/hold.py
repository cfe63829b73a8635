"""What is held of a compile while TileLang's own compiler runs: references to the functions before and after each pass.

They are immutable, so they are printed and walked when it is over, and what is compiled cannot depend on it."""

import contextlib
import dataclasses
import itertools
import time

from tilelang import instrumentation, tvm

from tilescope.recorder.callers import callers_noted

NUMBERS = itertools.count()  # several may record at once
# What TileLang says a kernel of a group of its autotuner is lowered under, and the group emitted.
GROUP_LOWERS, GROUP_EMITS = "stage=grouped-lower", "stage=grouped-device"


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


class Compile:
    """All that is held of one kernel's compile: its passes in order, nested ones inside, and the emitted module with the pass
    configuration that it was emitted with. `kernels`: its device functions; `emitted_with`: all of that module, where other
    kernels are in it. `ended` is called when it is over; `request` is what was asked for, if that is known."""

    def __init__(self, request=None, ended=lambda compile_: None):
        self.request, self.ended = request, ended
        self.open, self.steps = [], []
        self.emitted = self.target = self.kernels = self.emitted_with = self.config = self.error = None
        self.emit_seconds = 0.0

    def emit(self, event, next_call):
        began = time.perf_counter()
        module = next_call()
        if event.target.kind.name == "cuda":
            self.emit_seconds = time.perf_counter() - began
            self.emitted, self.target, self.kernels = module, event.target, functions_of(event.mod)
            self.emitted_with = self.kernels
            self.config = dict(tvm.transform.PassContext.current().config)
        return module

    def add_part_of(self, whole):
        """What was done with several kernels as one module: of that, what is of this one. One that failed has no part."""
        own = {hash(function) for _, step in self.steps for _, function in (step.after or {}).values()}
        names = {name for _, step in whole.steps[:1] for name, (_, function) in step.before.items() if hash(function) in own}
        if not names:
            return
        parts = {id(step): part_of(step, names) for _, step in whole.steps}
        self.steps += [(what, parts[id(step)]) for what, step in whole.steps]
        self.open += [parts[id(step)] for step in whole.open]
        if whole.emitted is not None:
            self.emitted, self.target, self.config = whole.emitted, whole.target, whole.config
            self.emitted_with, self.emit_seconds = whole.kernels, whole.emit_seconds
            self.kernels = {name: function for name, function in whole.kernels.items() if name in names}

    def finish(self, error):
        self.error = error
        self.ended(self)


def part_of(step, names):
    before, after = ({name: function for name, function in functions.items() if name in names}
                     for functions in (step.before, step.after or {}))
    return dataclasses.replace(step, before=before, after=None if step.after is None else after)


class Held(instrumentation.PassInstrumentationTool):
    """What TileLang compiles as one: a kernel, or a group of its autotuner, in which each kernel is lowered alone and all are
    emitted as one module. `begin` makes the Compile of each."""

    def __init__(self, begin):
        self.begin = begin
        self.compiles, self.whole = [], None  # whole: the emission of a group

    def create_pass_instrument(self):
        stage = str(instrumentation.current_pass_instrument_context())
        if stage.startswith(GROUP_EMITS):
            self.whole = Compile()
            return HoldFunctions(self.whole)
        if stage.startswith(GROUP_LOWERS) or not self.compiles:
            self.compiles.append(self.begin())
        return HoldFunctions(self.compiles[-1])

    def run_codegen(self, event, next_call):
        return (self.whole or self.compiles[-1]).emit(event, next_call) if self.compiles else next_call()

    def finish(self, error):
        for compile_ in self.compiles:
            if self.whole is not None:
                compile_.add_part_of(self.whole)
            compile_.finish(error)


@contextlib.contextmanager
def held_compiles(begin):
    """`begin` makes a Compile for each kernel that is compiled in the block, whichever thread that runs in."""
    name = f"tilescope-{next(NUMBERS)}"
    instrumentation.register_pass_instrumentation_tool(name, lambda: Held(begin))
    try:
        with callers_noted():
            yield
    finally:
        instrumentation.unregister_pass_instrumentation_tool(name)
