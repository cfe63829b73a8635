"""Which lines of the kernel call the macro of another file that a statement stands in."""

import contextlib

import tilelang.ir
from tilelang.language.eager.builder import Builder

CALLERS = {}  # by handle of a span in a macro: (the span, which must live as long, [(file, line)] of the calls around)


class Called(str):
    """The file of a macro, with `callers`: [(file, line)], innermost last."""


@contextlib.contextmanager
def callers_noted():
    """While kernels are built: which lines call the macro that a statement stands in. TileLang's own operations are such
    macros, in files of its own. Nothing else changes: spans are what they would be."""
    set_fileline, make_span = Builder.set_fileline, tilelang.ir.make_span

    def set_called(self, file, line, name):
        if self.macro_fileline_stack:
            file = Called(file)
            file.callers = [(str(caller), at) for caller, at, _ in self.macro_fileline_stack]
        set_fileline(self, file, line, name)

    def make_noted(file, line):
        span = make_span(str(file), line)
        if isinstance(file, Called):
            CALLERS[hash(span)] = (span, file.callers)
        return span

    Builder.set_fileline, tilelang.ir.make_span = set_called, make_noted
    try:
        yield
    finally:
        Builder.set_fileline, tilelang.ir.make_span = set_fileline, make_span


def places_of(span):
    """[(file, line)]: where it stands, and the calls around, innermost first."""
    _, callers = CALLERS.get(hash(span), (None, ()))
    return [(str(span.source_name.name), span.line), *reversed(callers)]
