#!/usr/bin/env python3
"""The names that TileLang's wheel has in tilelang.language, against those that the program knows: none may be unknown to it,
and what a call may name as a keyword there it may name here. Run by `./dev peer` with the Python of .peer/, where TileLang is installed.

Usage: check_language.py TILESCOPE"""

import inspect
import json
import re
import subprocess
import sys
import types

import tilelang.language as T


# Parts of an object of the compiler, which no kernel makes.
UNUSED = {"span", "self", "align", "offset_factor", "buffer_type", "axis_separators"}
# Those that stand in annotations; decorators; what takes any number of arguments, or a cast's notes for a code generator.
NOT_COMPARED = {"Cast", "JITFunc", "KernelLaunchFrame", "PrimExpr", "PrimFunc", "Ref", "SharedBuffer", "FragmentBuffer", "LocalBuffer",
                "type_annotation", "macro", "prim_func", "call_extern", "call_pure_extern", "match_buffer"}


def keywords(function):
    """Of a function of the wheel; none where Python does not know."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and p.name not in UNUSED]


def missing_keywords(name, entry):
    if name in NOT_COMPARED or not entry.get("parameters") or not callable(getattr(T, name)):
        return []
    ours = {word.strip().rstrip("?") for word in entry["parameters"].split(",")}
    return [] if any(word.startswith("**") for word in ours) else [word for word in keywords(getattr(T, name)) if word not in ours]


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
    called = {name: missing_keywords(name, known[name]) for name in names if name in known and known[name]["works"]}
    for name, words in called.items():
        for word in words:
            print(f"  {name}: no parameter '{word}'")
    return 1 if unknown or any(called.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
