"""Remarks of plans that stand-ins of buffers and records make up."""

import types

from tilescope.recorder.remarks import IN_LOOPS, NO_REUSE, State, remarks_of

# A is read in the loop at line 5, B and C after it; the loop at line 5 stands between.
NODES = [{"kind": "seq", "children": [1, 2, 4]},
         {"kind": "leaf", "stmt": 1, "accesses": [{"buffer": 0}]},
         {"kind": "loop", "stmt": 2, "children": [3]},
         {"kind": "leaf", "stmt": 3, "accesses": [{"buffer": 0}, {"buffer": 2}]},
         {"kind": "leaf", "stmt": 4, "accesses": [{"buffer": 1}]}]
LINES = [("", 1, 4, False), ("", 2, 5, True), ("", 3, 6, False), ("", 4, 7, False)]


def say(offsets, options):
    buffers = [types.SimpleNamespace(id=i, name=name, line=i + 1, layout="", offset=offset, bytes=1024)
               for i, (name, offset) in enumerate(zip("ABC", offsets))]
    problem = {"buffers": [{"id": 0, "alignmentBytes": 1024}, {"id": 1, "alignmentBytes": 16}]}
    parts = {"arenas": [{"problem": problem}], "accesses": [{"program": {"nodes": NODES, "root": 0}}]}
    for remark in remarks_of("tl.MergeSharedMemoryAllocations", types.SimpleNamespace(now=buffers), {},
                             State(LINES, parts, {}, options)):
        print(remark["text"])
    print()


say((0, 0, 1024), {})
say((0, 1024, 2048), {NO_REUSE: True})
say((0, 1024, 0), {IN_LOOPS: True})
say((0, 0, 1024), None)
