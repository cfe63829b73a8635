"""Which releases of Triton are recorded. Their bindings change with each."""

import triton

from tilescope.problem import Problem

IN_FULL = ("3.9",)
# These insert barriers while they lower to the LLVM dialect, and do not say how large scratch is: both are asked of copies.
IN_PART = ("3.7", "3.8")


def is_one_of(versions) -> bool:
    return any(triton.__version__ == known or triton.__version__.startswith(known + ".") for known in versions)


def why_not() -> str:
    """Why nothing is recorded of this release; "": it is."""
    if is_one_of(IN_FULL + IN_PART):
        return ""
    known = f"{', '.join(IN_PART)} and {', '.join(IN_FULL)}"
    return f"Triton {triton.__version__} is not recorded: its bindings are known of {known} alone"


def is_in_full() -> bool:
    return is_one_of(IN_FULL)


def check():
    if reason := why_not():
        raise Problem(reason)
