#!/usr/bin/env python3
"""clang-tidy on the sources that differ from the commit that tests/lint_base names, and each of them compiled alone.

Usage: check_lint.py [--all]
--all takes every source and, where nothing is found, moves the base to the commit that is checked out. Exit status 77:
there is no clang-tidy-19, or this clone does not have the base.

Most of what clang-tidy costs is the headers, so it takes the files of a folder joined, as the preset lint has them. That
a source includes all that it uses only the quick build (dev) tells, which has neither joined files nor precompiled
headers. Both are configured here, nothing is built.
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

import tree

TIDY = "clang-tidy-19"
BASE = tree.ROOT / "tests/lint_base"
# What the gate has time for: up to twelve seconds of one core a source.
MOST_FILES = 60
SKIP = 77


def run(*command):
    return subprocess.run(command, cwd=tree.ROOT, capture_output=True, text=True)


def configured(preset):
    """What the preset compiles: [(file, command)]."""
    made = run("cmake", "--preset", preset)
    if made.returncode:
        sys.exit(made.stdout + made.stderr)
    entries = json.loads(tree.text(f"build/{preset}/compile_commands.json"))
    return [(entry["file"], entry["command"]) for entry in entries]


def sources_of(file):
    """The sources of this tree in a file that is compiled: itself, or those that it joins."""
    joined = re.findall(r'^#include "(.*\.cpp)"', pathlib.Path(file).read_text(), re.MULTILINE)
    inside = [pathlib.Path(path).relative_to(tree.ROOT) for path in joined or [file] if path.startswith(f"{tree.ROOT}/")]
    return {str(path) for path in inside if path.parts[0] != "build"}


def changed_since(base):
    """Sources that differ from the base, and those next to a header that does."""
    changed = set(run("git", "diff", "--name-only", base).stdout.split())
    changed |= set(run("git", "ls-files", "--others", "--exclude-standard").stdout.split())
    return {source for source in tree.files(".cpp")
            if source in changed or re.sub(r"\.cpp$", ".h", source) in changed}


def tidy(file):
    # That joined files include sources is their purpose.
    found = run(TIDY, "-p", "build/lint", "--quiet", "--checks=-bugprone-suspicious-include", file)
    return [found.stdout.strip()[:8000]] if found.returncode else []


def compile_alone(command):
    words = shlex.split(command)
    compiler = next(at for at, word in enumerate(words) if re.search(r"\+\+(-\d+)?$", word))
    without = words[compiler:words.index("-o")] + words[words.index("-o") + 2:]
    found = run(*without, "-fsyntax-only")
    return [found.stderr.strip()[:8000]] if found.returncode else []


def skip(why):
    print(f"lint: SKIPPED: {why}")
    sys.exit(SKIP)


def main():
    if not shutil.which(TIDY):
        skip(f"no {TIDY} on this machine; ./dev setup installs it")
    takes_all = "--all" in sys.argv
    base = BASE.read_text().strip()
    if not takes_all and run("git", "cat-file", "-e", f"{base}^{{commit}}").returncode:
        skip(f"this clone does not have {base}, which tests/lint_base names")
    joined = [(file, sources_of(file)) for file, _ in configured("lint")]
    sources = set().union(*(inside for _, inside in joined))
    if not takes_all:
        sources &= changed_since(base)
        if len(sources) > MOST_FILES:
            tree.finish("lint", [f"{len(sources)} sources differ from tests/lint_base, the gate takes {MOST_FILES}: "
                                 "run ./dev lint --all, which moves it"])
    jobs = [(tidy, file) for file, inside in joined if inside & sources]
    jobs += [(compile_alone, command) for file, command in configured("dev") if sources_of(file) & sources]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        findings = [one for found in pool.map(lambda job: job[0](job[1]), jobs) for one in found]
    if takes_all and not findings:
        BASE.write_text(run("git", "rev-parse", "HEAD").stdout)
    print(f"lint: {len(sources)} sources")
    tree.finish("lint", findings)


if __name__ == "__main__":
    main()
