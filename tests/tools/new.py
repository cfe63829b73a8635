#!/usr/bin/env python3
"""Writes the first version of the files that a new pass, verb or view needs, and its line in the registry.

usage: new.py pass NAME "ONE LINE OF HELP"    passes/NAME.cpp; a line in passes/pipeline.cpp makes it run by default
       new.py verb NAME "ONE LINE OF HELP"    cli/NAME_command.cpp
       new.py view NAME "ONE LINE OF HELP"    core/views/NAME_model.{h,cpp}, which `tilescope show NAME` prints

NAME is kebab-case. What is written compiles, does next to nothing, and has a test; help texts in tests follow with
update_checks.py. Files that exist are never touched. Operations are written by hand: see core/ir/README.md.
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

PASS_TEST = '''# tilescope-ir 1
# ./dev lit tests/passes/{snake}.py
# RUN: tilescope opt --passes {name} %s | FileCheck %s


# CHECK: def f(
@T.prim_func
def f(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=32) as (bx, tx):
        T.barrier()
'''

VERB = '''// {name}: {help}.
#include "cli/command.h"

namespace tilescope {{

int run{camel}(const CommandLine &commandLine) {{
  llvm::cl::OptionCategory category("tilescope {name}");
  llvm::cl::opt<std::string> file(llvm::cl::Positional, llvm::cl::Required, llvm::cl::desc("FILE"),
                                  llvm::cl::cat(category));
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category,
                                                     "{help}.\\n\\n"
                                                     "  tilescope {name} FILE\\n"))
    return *exitCode;
  llvm::Expected<std::string> text = readFile(file);
  if (!text)
    return report(text.takeError());
  llvm::outs() << text->size() << " bytes\\n";
  return Fine;
}}

}} // namespace tilescope
'''

VERB_TEST = '''# RUN: tilescope {name} %s | FileCheck %s
# ./dev lit tests/cli/{snake}.test
# RUN: exits 2 tilescope {name} %t.missing

# CHECK: bytes
'''

VIEW_HEADER = '''// Panel `{name}`: {help}.
#pragma once

#include "core/views/view.h"

namespace tilescope {{

struct {camel}View {{
  std::string pass;
}};

{camel}View build{camel}(const Trace &trace, const Selection &selection);
void print(const {camel}View &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, {camel}View &view) {{
  archive("pass", view.pass);
}}

}} // namespace tilescope
'''

VIEW = '''#include "core/views/{snake}_model.h"

namespace tilescope {{

{camel}View build{camel}(const Trace &trace, const Selection &selection) {{
  {camel}View view;
  view.pass = selectedPass(trace, selection).name;
  return view;
}}

void print(const {camel}View &view, llvm::raw_ostream &out) {{
  write(out, view.pass, {{Ink::Strong}});
  out << '\\n';
}}

}} // namespace tilescope
'''

VIEW_TEST = '''# RUN: tilescope show {name} %traces/written_gemm.trace --pass simplify | FileCheck %s
# ./dev lit tests/views/{snake}.test
# RUN: tilescope show {name} %traces/written_gemm.trace --format json | FileCheck %s --check-prefix=JSON

# CHECK: simplify

# JSON: "pass":
'''

# Files by template, the registry, and the line there.
KINDS = {
    "pass": (
        {"passes/{snake}.cpp": PASS, "tests/passes/{snake}.py": PASS_TEST},
        "passes/passes.def",
        'PASS("{name}", {camel}, PropertySet(), "{help}")',
    ),
    "verb": (
        {"cli/{snake}_command.cpp": VERB, "tests/cli/{snake}.test": VERB_TEST},
        "cli/commands.def",
        'COMMAND("{name}", {camel}, "{help}")',
    ),
    "view": (
        {
            "core/views/{snake}_model.h": VIEW_HEADER,
            "core/views/{snake}_model.cpp": VIEW,
            "tests/views/{snake}.test": VIEW_TEST,
        },
        "core/views/models.def",
        'MODEL("{name}", {camel}, "{help}")',
    ),
}


def add(kind, name, help_line):
    files, registry, line = KINDS[kind]
    words = name.split("-")
    names = {"name": name, "snake": "_".join(words), "camel": "".join(w.capitalize() for w in words), "help": help_line}
    texts = {path.format(**names): template.format(**names) for path, template in files.items()}
    for path in texts:
        if (tree.ROOT / path).exists():
            sys.exit(f"new: {path} is there already")
    for path, text in texts.items():
        (tree.ROOT / path).write_text(text)
        print(f"wrote {path}")
    line = line.format(**names)
    macro = line.split("(")[0]
    entries = tree.text(registry).replace(f"\n#undef {macro}", f"{line}\n\n#undef {macro}")
    (tree.ROOT / registry).write_text(entries)
    print(f"added to {registry}: {line}")


def main():
    is_known = len(sys.argv) == 4 and sys.argv[1] in KINDS
    if not is_known or not re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", sys.argv[2]):
        sys.exit(__doc__)
    add(*sys.argv[1:])


if __name__ == "__main__":
    main()
