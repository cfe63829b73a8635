"""Records every compile of Triton's, of the releases that are recorded. Of any other the bindings are not touched."""

import contextlib
import sys

from tilescope.recorder.triton.versions import why_not


def watched(recording):
    if reason := why_not():
        print(f"tilescope: {reason}", file=sys.stderr)
        return contextlib.nullcontext()
    from tilescope.recorder.triton.compiles import recorded

    return recorded(recording)
