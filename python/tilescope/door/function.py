"""One function, from its PrimFunc to tagged IR text."""

import sys

from .buffers import Declarations
from .errors import NotLowered
from .expressions import Expressions
from .kernels import Kernel
from .names import Names
from .source import Source
from .statements import Facts, Statements
from .text import Text


def text_of(kernel: Kernel) -> str:
    """Raises NotLowered with all that has no counterpart."""
    source, text, expressions = Source(kernel.function), Text(), Expressions(Names())
    facts, missing = Facts(kernel.function), []
    if kernel.configs:
        text.line(f"T.module({', '.join(f'{word}=True' for word in kernel.configs)})")
    declarations = Declarations(kernel.function, facts, expressions, source, missing)
    declarations.write(text, kernel.name, kernel.outputs)
    Statements(facts, expressions, source, text, missing).write(kernel.function)
    if missing:
        raise NotLowered(missing)
    for warning in declarations.warnings:
        print(f"{source.path}: warning: {warning}", file=sys.stderr)
    return text.whole(source.path, source.text)
