#!/usr/bin/env python3
"""What new.py writes, of every kind, passes the house checks and compiles. usage: check_new.py BUILD_FOLDER

The tree is copied and written to there. Compiled, but for code, are the new sources and those that include a registry
with a new line, with the commands of the build folder. Whether the written tests pass only a whole build would tell.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import new
import tree

CHECKS = ["check_layers.py", "check_size.py", "check_names.py", "check_tests.py", "check_ops.py"]
INCLUDE = re.compile(r'^#include "(.*)"', re.MULTILINE)


def run(command, folder):
    """What is wrong; nothing if the command succeeds."""
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return [f"{shlex.join(command)}: {result.stdout}{result.stderr}"] if result.returncode else []


def copy_tree(copy):
    for path in tree.files():
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(tree.ROOT / path, copy / path)
    # The house checks ask git for the files.
    subprocess.run(["git", "init", "--quiet"], cwd=copy, check=True)


def written(copy):
    """The files of the copy that differ from the tree."""
    paths = [str(path.relative_to(copy)) for path in copy.rglob("*") if path.is_file() and ".git" not in path.parts]
    return sorted(path for path in paths
                  if not (tree.ROOT / path).is_file() or (tree.ROOT / path).read_bytes() != (copy / path).read_bytes())


def sources_to_compile(copy, paths):
    changed = set(paths)
    return [path for path in tree.files(".cpp") if not path.startswith("tests/")
            and not changed.isdisjoint(INCLUDE.findall(tree.text(path)))] + \
           [path for path in paths if path.endswith(".cpp")]


def commands_of_folders(build):
    """By folder how one of its sources is compiled: the words of the command, but for what is read and written."""
    commands = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        source = pathlib.Path(entry["file"])
        sources = [source]
        if source.is_relative_to(build) and "Unity" in source.parts and source.exists():
            sources = [pathlib.Path(joined) for joined in INCLUDE.findall(source.read_text())]
        for path in sources:
            if path.is_relative_to(tree.ROOT) and not path.is_relative_to(build):
                commands.setdefault(path.relative_to(tree.ROOT).parent, words[:words.index("-o")])
    return commands


def command_of(path, copy, commands):
    folder = pathlib.Path(path).parent
    words = commands.get(folder)
    # An operation has a folder of its own, in which no source was there before.
    for other in sorted(commands):
        words = words or (commands[other] if other.parent == folder.parent else None)
    return words and [word.replace(f"-I{tree.ROOT}", f"-I{copy}") for word in words] + ["-fsyntax-only", path]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    commands = commands_of_folders(pathlib.Path(sys.argv[1]).resolve())
    findings = []
    with tempfile.TemporaryDirectory() as name:
        copy = pathlib.Path(name)
        copy_tree(copy)
        for kind in new.LINES:
            findings += run([sys.executable, "tests/tools/new.py", kind, f"sample-{kind}", "Do what a sample does"], copy)
        for check in CHECKS:
            findings += run([sys.executable, f"tests/tools/{check}"], copy)
        paths = written(copy)
        if shutil.which("clang-format-19"):
            findings += run(["clang-format-19", "--dry-run", "-Werror",
                             *[path for path in paths if path.endswith((".cpp", ".h"))]], copy)
        sources = sources_to_compile(copy, paths)
        compiles = {source: command_of(source, copy, commands) for source in sources}
        print(f"new: {len(paths)} files differ, {len(sources)} sources to compile")
        for source in (source for source, command in compiles.items() if not command):
            print(f"new: {source}: not compiled, for nothing in {sys.argv[1]} is compiled from its folder")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for found in pool.map(lambda command: run(command, copy), filter(None, compiles.values())):
                findings += found
    tree.finish("new", findings)


if __name__ == "__main__":
    main()
