"""What Triton's own allocation would do after each pass before it runs, found out in a process of its own: it is not meant
for programs that are not lowered to its end, and where one is not what it expects it aborts.

Its process reads {"states": [text, ...], "capability": 80} and answers a line for each state, which has [[number of an operation, offset or null, size or null], ...] by their order in the text."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

SECONDS = 120
PTX_VERSION = 80  # of what is never emitted


def previews_of(texts: list[str], capability: int) -> list[dict | None]:
    """Of each text {number of an operation: (offset, size)}; None: its allocation does not work there."""
    found = []
    while len(found) < len(texts):
        answers = asked({"states": texts[len(found):], "capability": capability})
        found += answers
        if len(found) < len(texts):
            found.append(None)  # it aborted there
    return found


def asked(request) -> list[dict | None]:
    package = pathlib.Path(__file__).resolve().parents[3]
    environment = {name: value for name, value in os.environ.items() if name != "TILESCOPE_RECORD"}
    environment["PYTHONPATH"] = os.pathsep.join([str(package), *filter(None, [environment.get("PYTHONPATH")])])
    run = subprocess.run([sys.executable, "-m", __name__], input=json.dumps(request), capture_output=True, text=True,
                         env=environment, timeout=SECONDS)
    answers = [json.loads(line) for line in run.stdout.splitlines() if line.endswith("]") or line == "null"]
    return [None if answer is None else {at: (offset, size) for at, offset, size in answer} for answer in answers]


# ---- The process


def main():
    request = json.load(sys.stdin)
    for text in request["states"]:
        print(json.dumps(allocated(text, request["capability"])), flush=True)


def allocated(text: str, capability: int):
    from triton._C.libtriton import ir, nvidia

    from tilescope.recorder.triton.module_copy import copy_of

    context = ir.context()
    ir.load_dialects(context)
    nvidia.load_dialects(context)
    with tempfile.NamedTemporaryFile("w", suffix=".mlir", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        try:
            module = ir.parse_mlir_module(file.name, context)
            module.context = context
            manager = ir.pass_manager(context)
            nvidia.passes.ttgpuir.add_allocate_shared_memory_nv(manager, capability, PTX_VERSION)
            manager.run(module, "preview")
        except RuntimeError:
            return None
        said = [(at, operation.integers) for at, operation in enumerate(copy_of(module).inside())]
    return [[at, integers.get("allocation.offset"), integers.get("allocation.size")] for at, integers in said
            if "allocation.offset" in integers]


if __name__ == "__main__":
    main()
