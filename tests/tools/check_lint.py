#!/usr/bin/env python3
"""clang-tidy on the sources that differ from the commit that tests/lint_base names.

Usage: check_lint.py [--all]
--all takes every source and, where nothing is found, moves the base to the commit that is checked out. Exit status 77:
there is no clang-tidy-19, or this clone does not have the base.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

import tree

TIDY = "clang-tidy-19"
BASE = tree.ROOT / "tests/lint_base"
# What the gate has time for: about ten seconds of one core a source.
MOST_FILES = 60
SKIP = 77


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=tree.ROOT, capture_output=True, text=True)


def all_sources():
    """Without what new.py writes elsewhere."""
    return [source for source in tree.files(".cpp") if not source.startswith("tests/tools/new/")]


def changed_sources(base):
    """Sources that differ from the base, and those next to a header that does."""
    changed = set(git("diff", "--name-only", base).stdout.split())
    changed |= set(git("ls-files", "--others", "--exclude-standard").stdout.split())
    sources = all_sources()
    return sorted(source for source in sources if source in changed or re.sub(r"\.cpp$", ".h", source) in changed)


def compile_commands():
    """Those of the quick build, which takes each source alone and without precompiled headers; nothing is built."""
    configured = subprocess.run(["cmake", "--preset", "dev"], cwd=tree.ROOT, capture_output=True, text=True)
    if configured.returncode:
        sys.exit(configured.stdout + configured.stderr)
    return "build/dev"


def check_source(source, commands):
    result = subprocess.run([TIDY, "-p", commands, "--quiet", "--extra-arg=-Wno-unknown-warning-option", source],
                            cwd=tree.ROOT, capture_output=True, text=True)
    return [f"{source}:\n{result.stdout.strip()[:4000]}"] if result.returncode else []


def skip(why):
    print(f"lint: SKIPPED: {why}")
    sys.exit(SKIP)


def main():
    if not shutil.which(TIDY):
        skip(f"no {TIDY} on this machine; ./dev setup installs it")
    takes_all = "--all" in sys.argv
    base = BASE.read_text().strip()
    if takes_all:
        sources = all_sources()
    elif git("cat-file", "-e", f"{base}^{{commit}}").returncode:
        skip(f"this clone does not have {base}, which tests/lint_base names")
    else:
        sources = changed_sources(base)
    if not takes_all and len(sources) > MOST_FILES:
        tree.finish("lint", [f"{len(sources)} sources differ from tests/lint_base, the gate takes {MOST_FILES}: "
                             "run ./dev lint --all, which moves it"])
    commands = compile_commands() if sources else ""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        findings = [one for found in pool.map(lambda source: check_source(source, commands), sources) for one in found]
    if takes_all and not findings:
        BASE.write_text(git("rev-parse", "HEAD").stdout)
    print(f"lint: {len(sources)} sources")
    tree.finish("lint", findings)


if __name__ == "__main__":
    main()
