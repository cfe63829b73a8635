"""What Triton's own allocation would do after each pass before it runs, found out in a process of its own: it is not meant
for programs that are not lowered to its end, and where one is not what it expects it aborts.

So is what a release does not say of a state behind its allocation: sizes of scratch (scratch_sizes.py), and before which
operations its membar, which there is a part of the lowering to the LLVM dialect, inserts barriers.
It answers a line for each state: null, or {"places": [[number of an operation, offset, size or null], ...], "barriers": [number of an
operation, ...]}, numbers by their order in the text."""

import dataclasses
import json
import os
import signal

from triton._C.libtriton import nvidia, passes

from tilescope.recorder.triton.managers import REAL
from tilescope.recorder.triton.module_copy import NOT_SCRATCH, PLACED, SIZE, copy_of, outline_of
from tilescope.recorder.triton.parsing import new_context, parsed
from tilescope.recorder.triton.scratch_sizes import ScratchSizes

SECONDS = 120
PTX_VERSION = 80  # of what is never emitted


@dataclasses.dataclass
class Preview:
    """`places`: {number of an operation: (offset, size)}; `barriers`: numbers of operations, of a state that is placed."""

    places: dict
    barriers: list


class Previews:
    """Of each text; None: its allocation does not work there. They are asked for when it is made, and go on beside who made it."""

    def __init__(self, texts: list[str], capability: int):
        self.texts, self.capability, self.found = texts, capability, []
        self.ask()

    def ask(self):
        read, write = os.pipe()
        self.child = os.fork()
        if self.child == 0:
            answer_all(self.texts[len(self.found):], self.capability, write)
        os.close(write)
        self.answers = open(read, encoding="utf-8")

    def take(self) -> list[Preview | None]:
        self.read()
        while len(self.found) < len(self.texts):
            self.found.append(None)  # it aborted there
            self.ask()
            self.read()
        return self.found

    def read(self):
        with self.answers:
            said = [json.loads(line) for line in self.answers if line.endswith("\n")]
        os.waitpid(self.child, 0)
        self.found += [None if answer is None else Preview({at: (offset, size) for at, offset, size in answer["places"]}, answer["barriers"])
                       for answer in said]


# ---- The process


def answer_all(texts, capability, out):
    try:
        signal.alarm(SECONDS)
        for number in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), number)  # where it aborts it says much
        allocator = Allocator(capability)
        with open(out, "w", encoding="utf-8") as answers:
            for text in texts:
                print(json.dumps(allocator.answer(text)), file=answers, flush=True)
    finally:
        os._exit(0)


class Allocator:
    def __init__(self, capability: int):
        self.capability, self.scratch, self.context = capability, ScratchSizes(self.bytes_of), new_context()

    def answer(self, text: str):
        is_placed = PLACED in text
        module = self.module(text, is_placed)
        if module is None:
            return None
        outline = outline_of(module)
        said = [(at, operation) for at, operation in enumerate(outline.inside()) if PLACED in operation.integers]
        lacks = any(operation.name not in NOT_SCRATCH and SIZE not in operation.integers for _, operation in said)
        sizes = self.scratch_sizes(module) if lacks else {}
        places = [[at, operation.integers[PLACED], operation.integers.get(SIZE, sizes.get(at))] for at, operation in said]
        return {"places": places, "barriers": self.barriers(module, outline) if is_placed else []}

    def scratch_sizes(self, module) -> dict:
        """By the number of the operation."""
        copy = copy_of(module)
        found = self.scratch.of(module.str_nodebug(), copy)  # with what the allocation added
        return {at: found[operation] for at, operation in enumerate(copy.inside()) if operation in found}

    def barriers(self, module, before) -> list[int]:
        allocation = passes.analysis.allocation(module)
        passes.analysis.membar(allocation).run()
        names, at, found = [operation.name for operation in before.inside()], 0, []
        for operation in outline_of(module).inside():
            if at < len(names) and operation.name == names[at]:
                at += 1
            else:
                found.append(at)
        return found

    def bytes_of(self, text: str) -> int | None:
        module = self.module(text, is_placed=False)
        return None if module is None else outline_of(module).integers.get("ttg.shared")

    def module(self, text: str, is_placed: bool):
        """With its buffers placed; None: Triton cannot."""
        try:
            module = parsed(text, self.context)
            if not is_placed:
                manager = REAL(module.context)
                nvidia.passes.ttgpuir.add_allocate_shared_memory_nv(manager, self.capability, PTX_VERSION)
                manager.run(module, "preview")
        except RuntimeError:
            return None
        return module
