"""One function, from its PrimFunc to tagged IR text."""

import sys

from .buffers import Declarations
from .errors import Missing, NoCounterpart, NotLowered
from .expressions import Expressions
from .kernels import Kernel
from .names import Names
from .source import Source
from .statements import Facts, Statements
from .text import Text


def text_of(kernel: Kernel) -> str:
    source, text, expressions = Source(kernel.function), Text(), Expressions(Names())
    if kernel.configs:
        text.line(f"T.module({', '.join(f'{word}=True' for word in kernel.configs)})")
    declarations = Declarations(kernel.function, Facts(kernel.function), expressions, source)
    try:
        declarations.write(text, kernel.name, kernel.outputs)
    except NoCounterpart as error:
        raise NotLowered([Missing(str(error), source.path)]) from None
    Statements(expressions, source, text).write(kernel.function)
    for warning in declarations.warnings:
        print(f"{source.path}: warning: {warning}", file=sys.stderr)
    return text.whole()
