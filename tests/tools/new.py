#!/usr/bin/env python3
"""Writes the first version of the files that a new thing needs, and its lines in the registries.

usage: new.py tile-op NAME "ONE LINE OF HELP"     core/ops/NAME/, passes/lower/NAME.cpp: T.NAME(tile)
       new.py device-op NAME "ONE LINE OF HELP"   core/ops/NAME/: T.NAME(src, dst), after lowering
       new.py pass NAME "ONE LINE OF HELP"        passes/NAME.cpp; a line in passes/pipeline.cpp makes it run by default
       new.py view NAME "ONE LINE OF HELP"        core/views/NAME_model.{h,cpp}, which `tilescope show NAME` prints
       new.py panel NAME "ONE LINE OF HELP"       viewer/panels/NAME_panel.cpp, and its view where there is none
       new.py verb NAME "ONE LINE OF HELP"        cli/NAME_command.cpp

NAME is kebab-case. What is written compiles, does next to nothing, and has a test; help texts in tests follow with
update_checks.py, the pictures that show a new panel with check_pictures.py --update. Files that exist are never
touched. The files of a kind stand in the folder of its name beside this file, at the paths that they get, for a thing
called `new-name`.
"""

import pathlib
import re
import shutil
import subprocess
import sys

import tree

TEMPLATES = pathlib.Path(__file__).resolve().parent / "new"

# kind: (registry, what stands before the new line, the line). In a list that is sorted the line finds its place.
LINES = {
    "tile-op": [
        ("core/ops/ops.def", r"OP\(.*, Tile\)\n", 'OP(NewName, "new_name", Tile)'),
        ("core/ops/layouts.def", r"LAYOUT\(.*\n", "LAYOUT(NewName)"),
        ("passes/lower/lowerings.def", r"LOWERING\(.*\n", "LOWERING(NewName)"),
        ("core/frontend/builtins.def", r"// --- tile operations.*\n", 'BUILTIN("T", "new_name", tileNewName, "tile")'),
    ],
    "device-op": [("core/ops/ops.def", r"OP\(.*, Device\)\n", 'OP(NewName, "new_name", Device)')],
    "pass": [("passes/passes.def", r"PASS\(.*\n", 'PASS("new-name", NewName, PropertySet(), Exact, "ONE LINE OF HELP")')],
    "view": [
        ("core/views/models.def", r"MODEL.*\n", 'MODEL_OF_PASS("new-name", NewName, "ONE LINE OF HELP")'),
        ("core/views/models.h", r"#include.*\n", '#include "core/views/new_name_model.h"'),
        ("docs/json.md", r"- `show .*\n(?:  .*\n)*", "- `show new-name`: `pass`"),
    ],
    "panel": [("viewer/panels/panels.def", r"PANEL\(.*\n", 'PANEL(new_name, NewName, "New name", Center)')],
    "verb": [("cli/commands.def", r"COMMAND\(.*\n", 'COMMAND("new-name", NewName, "ONE LINE OF HELP")')],
}


def speller(name, help_line):
    """What replaces each spelling of `new-name` in a text."""
    words = name.split("-")
    spellings = {"new-name": name, "new_name": "_".join(words), "NewName": "".join(map(str.capitalize, words)),
                 "New name": " ".join(words).capitalize(), "ONE LINE OF HELP": help_line}
    return lambda text: re.sub("|".join(spellings), lambda match: spellings[match.group()], text)


def texts_of(kind, spell):
    """By path."""
    folder = TEMPLATES / kind.replace("-", "_")
    return {spell(str(path.relative_to(folder))): spell(path.read_text())
            for path in sorted(folder.rglob("*")) if path.is_file()}


def write_files(texts):
    for path, text in texts.items():
        (tree.ROOT / path).parent.mkdir(exist_ok=True)
        (tree.ROOT / path).write_text(text)
        print(f"wrote {path}")
    sources = [path for path in texts if path.endswith((".cpp", ".h"))]
    # Another name makes lines of another length.
    if sources and shutil.which("clang-format-19"):
        subprocess.run(["clang-format-19", "-i", *sources], cwd=tree.ROOT, check=True)


def add_line(registry, before, line):
    text = tree.text(registry)
    entries = list(re.finditer(f"^{before}", text, re.MULTILINE))
    names = [entry.group() for entry in entries]
    smaller = [entry.end() for entry in entries if entry.group() < line]
    place = smaller[-1] if smaller and names == sorted(names) else entries[-1].end()
    (tree.ROOT / registry).write_text(f"{text[:place]}{line}\n{text[place:]}")
    print(f"added to {registry}: {line}")


def add(kind, name, help_line):
    spell = speller(name, help_line)
    needs_view = kind == "panel" and not (tree.ROOT / spell("core/views/new_name_model.h")).exists()
    kinds = ["view", kind] if needs_view else [kind]
    texts = {path: text for each in kinds for path, text in texts_of(each, spell).items()}
    for path in texts:
        if (tree.ROOT / path).exists():
            sys.exit(f"new: {path} is there already")
    write_files(texts)
    for each in kinds:
        for registry, before, line in LINES[each]:
            add_line(registry, before, spell(line))


def main():
    is_known = len(sys.argv) == 4 and sys.argv[1] in LINES
    if not is_known or not re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", sys.argv[2]):
        sys.exit(__doc__)
    add(*sys.argv[1:])


if __name__ == "__main__":
    main()
