"""The PTX, and which statement each of its lines is of, by its .loc and the locations of the last program before LLVM.

    .file 1 "/kernels" "matmul.py"
    .loc  1 28 15                               instructions that follow are of line 28, column 15
    .loc  2 7 12, function_name $L__info_string0, inlined_at 1 31 9"""

import os
import re

from tilescope.recorder.triton.locations import place_in, same_file

FILE = re.compile(r'\.file\s+(\d+)\s+"([^"]*)"(?:\s+"([^"]*)")?')
LOC = re.compile(r"\.loc\s+(\d+)\s+(\d+)\s+(\d+)")
INLINED = re.compile(r"inlined_at\s+(\d+)\s+(\d+)\s+(\d+)")
MOST_INLINED = 64
SHARED = re.compile(r"\.shared\b|\bldmatrix|\bstmatrix|cp\.async\.(?:ca|cg)|wgmma\.mma_async")


class Places:
    """Where a .loc is in the kernel file: it, or the call around it that is."""

    def __init__(self, text: str, file: str):
        names = {number: os.path.join(one, other) if other else one for number, one, other in FILE.findall(text)}
        self.here = {number for number, name in names.items() if same_file(name, file)}
        self.called = {}

    def read(self, line: str) -> tuple[int, int]:
        place = LOC.search(line).groups()
        if found := INLINED.search(line):
            self.called[place] = found.groups()
        else:
            self.called.pop(place, None)
        for _ in range(MOST_INLINED):
            if place[0] in self.here:
                return int(place[1]), int(place[2])
            if place not in self.called:
                break
            place = self.called[place]
        return 0, 0


def is_instruction(line: str) -> bool:
    words = line.strip()
    return words.endswith(";") and not words.startswith((".", "//"))


def line_map(text: str, tables) -> list[dict]:
    """One entry a line that is of a line of the kernel. `tables` has made the last state before LLVM."""
    by_place, touched = places_of(tables)
    places, place, found = Places(text, tables.file), (0, 0), []
    for number, line in enumerate(text.split("\n"), 1):
        if ".loc" in line and LOC.search(line):
            place = places.read(line)
        elif place[0] and is_instruction(line):
            entry = {"line": number, "span": [place[0], 1, place[0], 1]}
            here = by_place.get(place, ())
            shared = [one for one in here if one in touched] if SHARED.search(line) else []
            if shared or here:
                entry["stmt"] = (shared or here)[0]
            if ids := sorted({buffer for one in shared for buffer in touched[one]}):
                entry["buffers"] = ids
            found.append(entry)
    return found


def places_of(tables):
    """({(line, column): statements}, {statement: ids of the shared buffers that it touches})"""
    by_place, touched = {}, {}
    for operation, number in tables.number_of.items():
        place = place_in(operation.location, tables.file)
        if place[0]:
            by_place.setdefault(place, []).append(number)
    for node in tables.program.nodes if tables.program else ():
        for access in node.get("accesses", ()):
            touched.setdefault(node["stmt"], set()).add(access["buffer"])
    return by_place, touched
