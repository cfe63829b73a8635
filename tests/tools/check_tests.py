#!/usr/bin/env python3
"""Text tests: the second line of each is the command that runs it alone."""

import tree

# Folders below tests/ that hold no text tests, and those with what tests read.
OTHER = ("tests/unit/", "tests/bench/", "tests/golden/", "tests/tools/")


def text_tests():
    for path in tree.files(".py", ".test"):
        is_test = path.startswith("tests/") and not path.startswith(OTHER) and "/inputs/" not in path
        if is_test and path != "tests/lit.cfg.py":
            yield path


def check_commands():
    for path in text_tests():
        wanted = f"# ./dev lit {path}"
        lines = tree.text(path).splitlines()
        if len(lines) < 2 or lines[1] != wanted:
            yield f"{path}: its second line is not '{wanted}'"


if __name__ == "__main__":
    tree.finish("tests", list(check_commands()))
