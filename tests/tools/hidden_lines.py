"""How often a line that the recorder works out is wrong: a part of the lines that TileLang gives is hidden from it, in all
states but the first, and what it says in their place is compared."""

import pathlib
import random
import tempfile

from check_peer import kernel_of
import tilelang.ir
from tilescope import kernel_files
from tilescope.recorder import states
from tilescope.recorder.compile_trace import write_trace
from tilescope.recorder.hold import Compile, held_compiles
from tilescope.recorder.source_lines import SourceLines

SHARE = 0.3
ROUNDS = 3


class Hiding(SourceLines):
    def __init__(self, buffers, chosen):
        super().__init__(buffers)
        self.chosen, self.hidden = chosen, {}

    def own_line(self, stmt):
        line, is_carried = super().own_line(stmt)
        span = tilelang.ir.get_stmt_span(stmt)
        is_known = line > 0 and not is_carried and stmt not in self.found and span is not None and self.line_of(span) == line
        if is_known and self.before and self.chosen.random() < SHARE:
            self.hidden[stmt] = line
            return 0, False
        return line, is_carried


def try_lines(text, target):
    """(lines that were hidden, that were worked out otherwise, for which none was found)"""
    _, kernel, arguments = kernel_of(text)
    compile_ = Compile()
    with held_compiles(lambda: compile_):
        kernel_files.lower(kernel, arguments, kernel_files.target_of(target))
    hidden = wrong = none = 0
    for round_ in range(ROUNDS):
        made = hide_and_write(compile_, text.partition(":")[0], random.Random(round_))
        found = [(line, made.line(stmt)) for stmt, line in made.hidden.items()]
        hidden += len(found)
        none += sum(not said for _, said in found)
        wrong += sum(said not in (0, line) for line, said in found)
    return hidden, wrong, none


def hide_and_write(compile_, file, chosen):
    made = []

    def hiding(buffers):
        made.append(Hiding(buffers, chosen))
        return made[0]

    before, states.SourceLines = states.SourceLines, hiding
    try:
        with tempfile.TemporaryDirectory() as folder:
            write_trace(pathlib.Path(folder) / "hidden.trace", compile_, file)
    finally:
        states.SourceLines = before
    return made[0]
