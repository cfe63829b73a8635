"""What MLIR's locations say: loc("acc"("/kernels/matmul.py":28:15)), or of a function that was inlined,
loc(callsite("/kernels/helpers.py":7:12 at "y"("/kernels/matmul.py":31:9)))."""

import functools
import os
import re

PLACE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
NAME = re.compile(r'loc\("([A-Za-z_]\w*)"\(')


@functools.lru_cache(maxsize=1 << 16)
def place_in(location: str, file: str) -> tuple[int, int]:
    """(line, column) of the innermost place in the file; (0, 0): there is none."""
    found = ((int(line), int(column)) for name, line, column in PLACE.findall(location) if same_file(name, file))
    return next(found, (0, 0))


def line_in(location: str, file: str) -> int:
    return place_in(location, file)[0]


def name_in(location: str) -> str:
    """That of the variable which the kernel assigns; "": none."""
    found = NAME.match(location)
    return found.group(1) if found else ""


@functools.lru_cache(maxsize=1 << 12)
def same_file(one: str, other: str) -> bool:
    return one == other or os.path.realpath(one) == os.path.realpath(other)
