#!/usr/bin/env python3
"""Operations say what they do: outside of core/ops nothing asks which operation a statement is, but for its facts.

Switches that the registries generate (ops.def, layouts.def, lowerings.def) are macros, which this does not read.
"""

import re

import cpp_text
import tree

# Their `Op` is another enum: the operators of the Python that a kernel is written in.
OPERATORS_OF_PYTHON = ("core/syntax/", "core/frontend/")

ASKS = re.compile(r"(?:\bcase\s+|[=!]=\s*)(?:tilescope::)?Op::(\w+)|\bOp::(\w+)\s*[=!]=")


def check_file(path):
    for number, line in enumerate(cpp_text.blank(tree.text(path)).split("\n"), 1):
        match = ASKS.search(line)
        if match:
            yield (f"{path}:{number}: asks for {match.group(1) or match.group(2)}: a fact of OpInfo (core/ir/op.h) says "
                   "what operations do, and each says it in core/ops")


def main():
    return [finding for path in tree.files(".cpp", ".h")
            if path.startswith(("core/", "passes/", "viewer/", "cli/"))
            and not path.startswith(("core/ops/", *OPERATORS_OF_PYTHON))
            for finding in check_file(path)]


if __name__ == "__main__":
    tree.finish("operations", main())
