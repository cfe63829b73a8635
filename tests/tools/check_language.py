#!/usr/bin/env python3
"""The names that TileLang's wheel has in tilelang.language, against those that the program knows: none may be unknown to it.
Run by `./dev peer` with the Python of .peer/, where TileLang is installed.

Usage: check_language.py TILESCOPE"""

import json
import re
import subprocess
import sys
import types

import tilelang.language as T


def wheel_names():
    """What a kernel can name: no parts of the package, nothing that every module of Python has."""
    for name in dir(T):
        is_of_module = name.startswith("__") and name.endswith("__")
        if not is_of_module and not isinstance(getattr(T, name), types.ModuleType):
            yield name


def main():
    printed = subprocess.run([sys.argv[1], "language", "--format", "json"], check=True, capture_output=True, text=True).stdout
    known = {entry["name"]: entry for entry in json.loads(printed)}
    names = list(wheel_names())
    unknown = []
    for name in names:
        element = re.sub(r"x\d+$", "", name)
        if name not in known and (element == name or element not in known):
            unknown.append(name)
    works = sum(known[name]["works"] for name in names if name in known)
    print(f"{len(names)} names of tilelang.language: {works} work, {len(unknown)} unknown")
    for name in unknown:
        print(f"  {name}: no line in core/frontend/builtins.def or not_yet.def")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
