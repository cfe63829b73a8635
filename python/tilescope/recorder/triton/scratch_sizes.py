"""How large the scratch of an operation is, by Triton's own allocation, of a release that does not say it: of a module that
has nothing but that operation it needs as many bytes as the scratch has.

    %5 = ttg.convert_layout %4#1 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>

    tt.func public @alone(%in0: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #mma> {
      %out = ttg.convert_layout %in0 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
      tt.return %out : tensor<64x64xf32, #mma>
    }"""

import re

from tilescope.recorder.triton.module_copy import NOT_SCRATCH
from tilescope.recorder.triton.partitions import SPECIALIZE
from tilescope.recorder.triton.text_lines import operations_of

VALUE = re.compile(r"%\w+(?:#\d+)?")
RESULT = re.compile(r"%\w+(:\d+)? = ")
MODULE = re.compile(r"^module\b")


def alone(lines: list[str], at: int, operation) -> str | None:
    """The text of a module that has only the operation which begins in line `at`; None: it cannot be told from its text."""
    head = next((number for number, line in enumerate(lines) if MODULE.match(line)), None)
    text = whole_of(lines, at)
    if head is None or text is None:
        return None
    result = RESULT.match(text)
    body = text[result.end():] if result else text
    first, rest = body.partition("\n")[0], body[len(body.partition("\n")[0]):]
    given = VALUE.findall(first)
    if len(given) != len(operation.operands) or len(set(zip(given, operation.operands))) != len(set(given)):
        return None
    names = {name: f"%in{number}" for number, name in enumerate(dict.fromkeys(given))}
    types = {names[name]: type_ for name, type_ in zip(given, operation.operand_types)}
    made = ["%out"] if len(operation.types) == 1 else [f"%out#{number}" for number in range(len(operation.types))]
    several = f":{len(made)}" if len(made) > 1 else ""
    arguments = ", ".join(f"{name}: {type_}" for name, type_ in types.items())
    returned = f" -> ({', '.join(operation.types)})" if made else ""
    values = f" {', '.join(made)} : {', '.join(operation.types)}" if made else ""
    assigned = f"%out{several} = " if made else ""
    return "\n".join([*lines[:head + 1], f"tt.func public @alone({arguments}){returned} {{",
                      assigned + VALUE.sub(lambda found: names[found.group()], first) + rest, f"tt.return{values}", "}", "}", ""])


def whole_of(lines, at) -> str | None:
    """With its regions, of which the last line stands as far from the margin."""
    first = lines[at]
    if not first.rstrip().endswith("{"):
        return first.strip()
    margin = first[:len(first) - len(first.lstrip())]
    for end in range(at + 1, len(lines)):
        if lines[end].startswith(margin + "}") and not lines[end].rstrip().endswith("{"):
            return "\n".join([first.strip(), *lines[at + 1:end + 1]])
    return None


class ScratchSizes:
    """`allocate`: (text of a module) -> bytes that Triton's allocation needs for it, None: it does not work there."""

    def __init__(self, allocate):
        self.allocate, self.known = allocate, {}

    def of(self, text: str, module) -> dict:
        """{operation: bytes, None: not known} of those that have a place and are no buffers."""
        lines = text.split("\n")
        wanted = {operation for operation in module.inside()
                  if "allocation.offset" in operation.integers and operation.name not in (*NOT_SCRATCH, SPECIALIZE)}
        texts = {operation: alone(lines, at, operation) for at, operation in enumerate(operations_of(lines, module))
                 if operation in wanted}
        return {operation: self.size(texts.get(operation)) for operation in wanted}

    def size(self, text):
        if text is None:
            return None
        if text not in self.known:
            self.known[text] = self.allocate(text)
        return self.known[text]
