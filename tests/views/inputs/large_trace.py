"""Prints a trace of more bytes than are loaded whole: four passes, each of which replaces a line by one with `needle`."""

import json

LINES, PASSES = 20_000, 4


def put(record, **fields):
    print(json.dumps({"record": record, **fields}, separators=(",", ":")))


put("trace", major=1, minor=1, file="large.py", function="large")
put("lines", count=LINES, lines=[[f"    T.copy(A[{i}, 0], B[{i}, 0])" + 200 * "#", i, None, None] for i in range(LINES)])
put("snapshot", full=list(range(LINES)))
put("passEnd", index=0, name="elaborate", status="changed")
for number in range(1, PASSES):
    put("lines", count=1, lines=[[f"    needle(A[{number}]); needle()", number, None, None]])
    put("snapshot", edits=[[number, 1, [LINES + number - 1]]])
    put("passEnd", index=number, name=f"pass-{number}", status="changed")
