"""A kernel file as it was saved: its instances, and what the program says of each, asked once."""

import asyncio
import re
import shlex
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from pygls.workspace import TextDocument

from tilescope.editor.asking import Program

INSTANCE = re.compile(r"# tilescope:(.*)")


@dataclass(frozen=True)
class Instance:
    """One `# tilescope:` line: a kernel and its arguments."""
    line: int          # from 0
    label: str         # as it stands there
    function: str      # "": the only one of the file
    words: tuple[str, ...]  # the options behind it


def instance_at(line: int, text: str) -> Instance | None:
    """None: the line is none. What cannot be split as a shell does is one word, which the program refuses."""
    match = INSTANCE.match(text)
    if not match:
        return None
    try:
        words = shlex.split(match[1])
    except ValueError:
        words = [match[1].strip()]
    return Instance(line, match[1].strip(), words[0] if words else "", tuple(words[1:]))


class Snapshot:
    """Ends when the file is saved again or closed; what was asked of it then is cancelled."""

    def __init__(self, document: TextDocument, program: Program, options: list[str], target: str | None):
        self.document = document
        self.version = document.version
        self.lines = list(document.lines)
        self.instances = [found for line, text in enumerate(self.lines) if (found := instance_at(line, text))]
        self.fixes: list[tuple] = []  # (diagnostic, range, text)
        self.ended = False
        self._program, self._options, self._target = program, options, target
        self._asked: dict[tuple, asyncio.Task] = {}
        self._tasks: set[asyncio.Task] = set()

    def is_current(self) -> bool:
        """Whether the text of the editor is that which was saved."""
        return not self.ended and self.document.version == self.version

    def start(self, work: Coroutine) -> None:
        """Lasts no longer than the snapshot."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def end(self) -> None:
        self.ended = True
        for task in [*self._tasks, *self._asked.values()]:
            task.cancel()

    async def ask(self, instance: Instance, *question: str) -> dict[str, Any]:
        """`question` is a verb and its options. asyncio.CancelledError: the snapshot has ended, or whoever asks has."""
        key = (instance, question)
        if key not in self._asked:
            self._asked[key] = asyncio.ensure_future(self._program.ask(*question, *self.kernel_words(instance)))
        # Others may wait for the same answer.
        return await asyncio.shield(self._asked[key])

    def check(self, instance: Instance):
        return self.ask(instance, "check")

    def arena(self, instance: Instance):
        return self.ask(instance, "show", "arena")

    def kernel_words(self, instance: Instance) -> list[str]:
        """FILE:FUNCTION and the options of a command line."""
        file = self.document.path + (f":{instance.function}" if instance.function else "")
        names_target = any(word.startswith("--target") for word in instance.words)
        target = [f"--target={self._target}"] if self._target and not names_target else []
        return [file, *instance.words, *target, *self._options]

    def first_instances(self) -> list[Instance]:
        """Of each kernel the one that hints and hovers speak of."""
        return list({instance.function: instance for instance in reversed(self.instances)}.values())[::-1]

    def line_of(self, function: str) -> int | None:
        """The line, from 0, that begins the kernel; None: it is not in this file, or has no name."""
        name = function.rpartition(".")[2]
        start = re.compile(rf"\s*def\s+{re.escape(name)}\b") if name else re.compile("(?!)")
        return next((line for line, text in enumerate(self.lines) if start.match(text)), None)
