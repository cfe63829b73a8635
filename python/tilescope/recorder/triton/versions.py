"""Which releases of Triton are recorded. Their bindings change with each."""

import triton

from tilescope.problem import Problem

IN_FULL = ("3.9",)


def why_not() -> str:
    """Why nothing is recorded of this release; "": it is."""
    version = triton.__version__
    if any(version == known or version.startswith(known + ".") for known in IN_FULL):
        return ""
    return f"Triton {version} is not recorded: its bindings are known of {', '.join(IN_FULL)} alone"


def check():
    if reason := why_not():
        raise Problem(reason)
