"""Which instructions of the PTX move what a line of the kernel has in shared memory, and how much of it a thread moves at once.

    ld.shared.v4.b32 {...}, [%r164];                                   16 bytes
    ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {...}, [%r266];     columns of matrices"""

import re

from tilescope.recorder.triton.emitted import LOC, SHARED, Places, is_instruction

PLAIN = re.compile(r"\b(ld|st)\.(?:volatile\.)?shared(?:::cta)?(?:\.v([248]))?\.[bfsu](\d+)\b")
MATRICES = re.compile(r"\b(ld|st)matrix\.sync\.aligned\.m8n8\.x[124](\.trans)?\.shared(?:::cta)?\.b16\b")
COPY = re.compile(r"\bcp\.async\.c[ag]\.shared\.global\b.*\], (0x[0-9a-f]+|\d+)(?:, %\w+)?;")
MOVE = re.compile(r"\b(?:(ld|st)(?:matrix)?|cp\.async\.c[ag])\.")
# What moves the data of an operation, by its name.
KINDS = {"ttg.local_load": "ld", "ttg.local_store": "st", "ttg.local_alloc": "st", "ttg.async_copy_global_to_local": "copy"}
UNKNOWN = {}


def instructions_of(text: str, file: str) -> dict:
    """{(line, column): {ld, st or copy: fields of the instruction}}: of those that are all alike there."""
    places, place, found = Places(text, file), (0, 0), {}
    for line in text.split("\n"):
        if ".loc" in line and LOC.search(line):
            place = places.read(line)
        elif place[0] and is_instruction(line) and SHARED.search(line):
            for kind, form in forms_in(line):
                found.setdefault(place, {}).setdefault(kind, []).append(form)
    return {place: {kind: forms[0] if all(form == forms[0] for form in forms) else UNKNOWN for kind, forms in kinds.items()}
            for place, kinds in found.items()}


def forms_in(line: str) -> list[tuple[str, dict]]:
    if found := PLAIN.search(line):
        return [(found.group(1), {"instruction": "plain", "laneBytes": int(found.group(2) or 1) * int(found.group(3)) // 8})]
    if found := MATRICES.search(line):
        return [(found.group(1), {"instruction": "transposed" if found.group(2) else "matrices"})]
    if found := COPY.search(line):
        return [("copy", {"instruction": "plain", "laneBytes": int(found.group(1), 0)})]
    return [(found.group(1) or "copy", UNKNOWN)] if (found := MOVE.search(line)) else []
