import sys

import tilescope

trace = tilescope.Trace(sys.argv[1])
for action in (lambda: tilescope.Trace("nothing.trace"), lambda: tilescope.Trace(__file__), lambda: tilescope.Trace("."), lambda: trace.arena("nonsense"),
               lambda: trace.buffers("nonsense"), lambda: trace.find("planed")):
    try:
        action()
        print("no problem")
    except tilescope.Problem as problem:
        print(problem)
