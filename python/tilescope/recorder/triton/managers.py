"""Notes which passes Triton's pass managers have, so that they can be done again one by one (again.py).

Every function `add_...` of the bindings adds its pass as before, and what it added is noted beside it. A manager runs as it is;
from the lowering to the LLVM dialect on each pass runs in a manager of its own. If something else was added to a manager it
runs as it is, as one pass."""

import contextlib
import contextvars
import functools
import inspect
import typing

from triton._C.libtriton import ir, nvidia, passes

REAL = ir.pass_manager
TO_LLVM = ("ttgpuir.to_llvmir", "to_llvmir")
WATCHER = contextvars.ContextVar("tilescope_triton_watcher", default=None)  # of the compile in this thread


class Pass(typing.NamedTuple):
    """The name of one that ADDS has, and what it was given."""

    name: str
    given: tuple
    named: dict


def functions_that_add(module, path=()):
    """[(name of the pass, (module, name of the function, function))], those of submodules too."""
    for name in dir(module):
        value = getattr(module, name)
        if inspect.ismodule(value):
            yield from functions_that_add(value, (*path, name))
        elif name.startswith("add_"):
            yield ".".join((*path, name[len("add_"):])), (module, name, value)


ADDS = dict([*functions_that_add(passes), *functions_that_add(nvidia.passes, ("nvidia",))])


def manager_of(context, noted):
    manager = REAL(context)
    for each in noted:
        ADDS[each.name][2](manager, *each.given, **each.named)
    return manager


class PassManager(REAL):
    def __init__(self, context):
        super().__init__(context)
        self.context, self.added, self.is_debugged = context, [], False

    def enable_debug(self):
        self.is_debugged = True
        return super().enable_debug()

    def run(self, module, *stage):
        watcher = WATCHER.get()
        if watcher is None:
            return super().run(module, *stage)
        # Extensions add passes by functions of their own.
        if manager_of(self.context, self.added).get_pipeline_str() != self.get_pipeline_str():
            return watcher.together(None, module, stage, super().run)
        lowers = next((at for at, each in enumerate(self.added) if each.name.endswith(TO_LLVM)), len(self.added))
        if watcher.is_llvm:
            lowers = 0
        if lowers == len(self.added):
            return watcher.together(self.added, module, stage, super().run)
        if lowers > 0:
            watcher.together(self.added[:lowers], module, stage, self.part(self.added[:lowers]).run)
        for each in self.added[lowers:]:
            watcher.alone(each.name, module, functools.partial(self.part([each]).run, module, *stage))
        return None

    def part(self, noted):
        manager = manager_of(self.context, noted)
        if self.is_debugged:
            manager.enable_debug()
        return manager


def noted(add, name):
    @functools.wraps(add)
    def add_and_note(manager, *given, **named):
        add(manager, *given, **named)
        if isinstance(manager, PassManager):
            manager.added.append(Pass(name, given, named))

    return add_and_note


@contextlib.contextmanager
def passes_noted():
    """While a compile has a WATCHER, its `together` is called for what runs in one manager, and must run it; its `alone` for
    each pass of the LLVM dialect."""
    try:
        for label, (module, name, original) in ADDS.items():
            setattr(module, name, noted(original, label))
        ir.pass_manager = PassManager
        yield
    finally:
        ir.pass_manager = REAL
        for module, name, original in ADDS.values():
            setattr(module, name, original)
