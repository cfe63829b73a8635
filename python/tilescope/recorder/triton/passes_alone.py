"""Runs the passes of Triton's pass managers one by one, so that the module can be looked at after each.

Every function `add_...` of the bindings adds its pass as before, and what it added is noted beside it. When the manager
runs, and nothing else was added to it, each of these runs in a manager of its own; else it runs as it is, as one pass."""

import contextlib
import contextvars
import functools
import inspect

from triton._C.libtriton import ir, nvidia, passes

REAL = ir.pass_manager
WATCHER = contextvars.ContextVar("tilescope_triton_watcher", default=None)  # of the compile in this thread


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
        if not self.is_all_noted():
            return watcher.around("several passes", module, lambda: super(PassManager, self).run(module, *stage))
        for name, add in self.added:
            alone = REAL(self.context)
            if self.is_debugged:
                alone.enable_debug()
            add(alone)
            watcher.around(name, module, functools.partial(alone.run, module, *stage))
        return None

    def is_all_noted(self):
        """Extensions add passes by functions of their own."""
        again = REAL(self.context)
        for _, add in self.added:
            add(again)
        return again.get_pipeline_str() == self.get_pipeline_str()


def noted(add, name):
    @functools.wraps(add)
    def add_and_note(manager, *given, **named):
        add(manager, *given, **named)
        if isinstance(manager, PassManager):
            manager.added.append((name, lambda other: add(other, *given, **named)))

    return add_and_note


def functions_that_add(module, path=()):
    """[(module, name of the function, name of the pass)], those of submodules too."""
    for name in dir(module):
        value = getattr(module, name)
        if inspect.ismodule(value):
            yield from functions_that_add(value, (*path, name))
        elif name.startswith("add_"):
            yield module, name, ".".join((*path, name[len("add_"):]))


@contextlib.contextmanager
def passes_alone():
    """While a compile has a WATCHER, `watcher.around(name, module, run)` is called for each of its passes, and must run it."""
    found = [*functions_that_add(passes), *functions_that_add(nvidia.passes, ("nvidia",))]
    originals = [(module, name, getattr(module, name), label) for module, name, label in found]
    try:
        for module, name, original, label in originals:
            setattr(module, name, noted(original, label))
        ir.pass_manager = PassManager
        yield
    finally:
        ir.pass_manager = REAL
        for module, name, original, _ in originals:
            setattr(module, name, original)
