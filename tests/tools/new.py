#!/usr/bin/env python3
"""Writes the first version of the files that a new pass needs, and its line in the registry.

usage: new.py pass NAME "ONE LINE OF HELP"

NAME is kebab-case. What is written compiles, changes nothing, and has a test; a line in
passes/pipeline.cpp makes the pass run by default. Files that exist are never touched.
"""

import re
import sys

import tree

PASS = '''// {help}.
//
//     before        after
//
// Requires: nothing. Ensures: nothing.
#include "core/pass/pass.h"

namespace tilescope {{

namespace {{

class {camel} : public Pass {{
public:
  const Module *run(const Module &module, PassContext & /*context*/) override {{ return &module; }}
}};

}} // namespace

std::unique_ptr<Pass> create{camel}() {{ return std::make_unique<{camel}>(); }}

}} // namespace tilescope
'''

TEST = '''# tilescope-ir 1
# ./dev lit tests/passes/{snake}.py
# RUN: tilescope opt --passes {name} %s | FileCheck %s


# CHECK: def f(
@T.prim_func
def f(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=32) as (bx, tx):
        T.barrier()
'''


def write(path, text):
    if (tree.ROOT / path).exists():
        sys.exit(f"new: {path} is there already")
    (tree.ROOT / path).write_text(text)
    print(f"wrote {path}")


def new_pass(name, help_line):
    words = name.split("-")
    names = {"name": name, "snake": "_".join(words), "camel": "".join(w.capitalize() for w in words), "help": help_line}
    registry = tree.text("passes/passes.def")
    write(f"passes/{names['snake']}.cpp", PASS.format(**names))
    write(f"tests/passes/{names['snake']}.py", TEST.format(**names))
    line = f'PASS("{name}", {names["camel"]}, PropertySet(), "{help_line}")\n'
    (tree.ROOT / "passes/passes.def").write_text(registry.replace("\n#undef PASS", line + "\n#undef PASS"))
    print(f"added to passes/passes.def: {line.strip()}")


def main():
    is_pass = len(sys.argv) == 4 and sys.argv[1] == "pass" and re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", sys.argv[2])
    if not is_pass:
        sys.exit(__doc__)
    new_pass(sys.argv[2], sys.argv[3])


if __name__ == "__main__":
    main()
