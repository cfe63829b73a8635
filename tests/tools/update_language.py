#!/usr/bin/env python3
"""Writes docs/language.md, the names of tilelang.language as the program prints them.

Usage: update_language.py [--check] [--tilescope PROGRAM]; `--check` writes nothing and fails if the page would change.
"""

import argparse
import subprocess
import sys

import tree

PAGE = "docs/language.md"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--tilescope", default=str(tree.ROOT / "build/release/bin/tilescope"))
    options = parser.parse_args()
    page = subprocess.run([options.tilescope, "language", "--format", "markdown"], check=True, capture_output=True,
                          text=True).stdout
    path = tree.ROOT / PAGE
    if path.exists() and path.read_text() == page:
        return 0
    if options.check:
        print(f"{PAGE}: is not what the program prints; write it with tests/tools/update_language.py")
        return 1
    path.write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
