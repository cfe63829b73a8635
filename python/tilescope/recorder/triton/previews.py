"""What Triton's own allocation would do after each pass before it runs, found out in a process of its own: it is not meant
for programs that are not lowered to its end, and where one is not what it expects it aborts.

So is what a release does not say of a state behind its allocation: sizes of scratch (scratch_sizes.py), and before which
operations its membar, which there is a part of the lowering to the LLVM dialect, inserts barriers.
Its process reads {"states": [text, ...], "capability": 80} and answers a line for each state: {"places": [[number of an operation,
offset or null, size or null], ...], "barriers": [number of an operation, ...]}, numbers by their order in the text."""

import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PLACED, SIZE = "allocation.offset", "allocation.size"  # as of module_copy, which needs Triton

SECONDS = 120
PTX_VERSION = 80  # of what is never emitted


@dataclasses.dataclass
class Preview:
    """`places`: {number of an operation: (offset, size)}; `barriers`: numbers of operations, of a state that is placed."""

    places: dict
    barriers: list


def previews_of(texts: list[str], capability: int) -> list[Preview | None]:
    """Of each text; None: its allocation does not work there."""
    found = []
    while len(found) < len(texts):
        answers = asked({"states": texts[len(found):], "capability": capability})
        found += answers
        if len(found) < len(texts):
            found.append(None)  # it aborted there
    return found


def asked(request) -> list[Preview | None]:
    package = pathlib.Path(__file__).resolve().parents[3]
    environment = {name: value for name, value in os.environ.items() if name != "TILESCOPE_RECORD"}
    environment["PYTHONPATH"] = os.pathsep.join([str(package), *filter(None, [environment.get("PYTHONPATH")])])
    run = subprocess.run([sys.executable, "-m", __name__], input=json.dumps(request), capture_output=True, text=True,
                         env=environment, timeout=SECONDS)
    answers = [json.loads(line) for line in run.stdout.splitlines() if line.endswith("}") or line == "null"]
    return [None if answer is None else Preview({at: (offset, size) for at, offset, size in answer["places"]}, answer["barriers"])
            for answer in answers]


# ---- The process


def main():
    request = json.load(sys.stdin)
    allocator = Allocator(request["capability"])
    for text in request["states"]:
        print(json.dumps(allocator.answer(text)), flush=True)


class Allocator:
    def __init__(self, capability: int):
        from tilescope.recorder.triton.module_copy import NOT_SCRATCH
        from tilescope.recorder.triton.scratch_sizes import ScratchSizes

        self.not_scratch = NOT_SCRATCH
        self.capability, self.scratch = capability, ScratchSizes(self.bytes_of)

    def answer(self, text: str):
        is_placed = PLACED in text
        module = self.module(text, is_placed)
        if module is None:
            return None
        text = module.str_nodebug()  # as the copy is, with what the allocation added
        copy = self.copy_of(module)
        said = [(at, operation) for at, operation in enumerate(copy.inside()) if PLACED in operation.integers]
        lacks = any(operation.name not in self.not_scratch and SIZE not in operation.integers for _, operation in said)
        sizes = self.scratch.of(text, copy) if lacks else {}
        places = [[at, operation.integers[PLACED], operation.integers.get(SIZE, sizes.get(operation))] for at, operation in said]
        return {"places": places, "barriers": self.barriers(module, copy) if is_placed else []}

    def barriers(self, module, before) -> list[int]:
        from triton._C.libtriton import passes

        allocation = passes.analysis.allocation(module)
        passes.analysis.membar(allocation).run()
        names, at, found = [operation.name for operation in before.inside()], 0, []
        for operation in self.copy_of(module).inside():
            if at < len(names) and operation.name == names[at]:
                at += 1
            else:
                found.append(at)
        return found

    def bytes_of(self, text: str) -> int | None:
        module = self.module(text, is_placed=False)
        return None if module is None else self.copy_of(module).integers.get("ttg.shared")

    def copy_of(self, module):
        from tilescope.recorder.triton.module_copy import copy_of

        return copy_of(module)

    def module(self, text: str, is_placed: bool):
        """With its buffers placed; None: Triton cannot."""
        from triton._C.libtriton import ir, nvidia

        context = ir.context()
        ir.load_dialects(context)
        nvidia.load_dialects(context)
        with tempfile.NamedTemporaryFile("w", suffix=".mlir", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            try:
                module = ir.parse_mlir_module(file.name, context)
                module.context = context
                if not is_placed:
                    manager = ir.pass_manager(context)
                    nvidia.passes.ttgpuir.add_allocate_shared_memory_nv(manager, self.capability, PTX_VERSION)
                    manager.run(module, "preview")
            except RuntimeError:
                return None
        return module


if __name__ == "__main__":
    main()
