"""The door into our own pipeline: TileLang's front end runs a user's kernel, and what it makes, before any pass, is written
as our elaborated IR text, which the program takes from there like any kernel.

    text = tilescope.lower(matmul, M=1024, N=1024, K=1024)  # what `tilescope opt` and `tilescope compile` read

Imports, torch, classes and callables as arguments are Python's concern here; the program itself runs none. What our IR
has no counterpart of is `NotLowered`, with the places in the user's files.
"""

from tilescope.kernel_files import settings

from .errors import Missing, NotLowered, UnknownArgument
from .function import text_of
from .kernels import Kernel, elaborate, kernel_in_file, outputs_of

__all__ = ["Kernel", "Missing", "NotLowered", "UnknownArgument", "elaborate", "kernel_in_file", "lower",
           "outputs_of", "settings", "text_of"]


def lower(kernel_or_primfunc, target: str = "sm_80", **arguments) -> str:
    """The elaborated IR text of a kernel (`@tilelang.jit`, autotuned or a PrimFunc) for these arguments."""
    return text_of(elaborate(kernel_or_primfunc, arguments, target))
