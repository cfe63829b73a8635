"""Tilescope in Python: its programs, what records TileLang's own compiler and Triton's, and what feeds ours.

  with tilescope.record("traces"):      # every compile in the block, a trace each; TILESCOPE_RECORD=traces does the same
      kernel = matmul(1024, 1024, 1024)  # for a whole program
  tilescope.lower(matmul, M=1024)       # our IR of a kernel, which TileLang elaborates; `tilescope compile` takes it
  tilescope.Trace("traces/matmul-....trace")  # in a notebook: its verdicts, its arena and lifetimes as pictures

`tilescope.programs.path("tilescope")` is the program; `python -m tilescope` has its verbs and those that need Python.
`tilescope.__version__` is the version of the package.
"""

import contextlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilescope.door import lower
    from tilescope.problem import Problem
    from tilescope.trace import Trace, view

    __version__: str

__all__ = ["Problem", "Trace", "__version__", "lower", "record", "view"]


@contextlib.contextmanager
def record(folder: str | os.PathLike, rebuild: bool = False) -> Iterator[None]:
    """Records every kernel that TileLang or Triton compiles in the block: one trace each in `folder`, which is made, and
    index.json.

    What is compiled stays the same. Traces are written when the block ends at the latest; what was compiled is said on
    standard error. `rebuild` goes round the compilers' caches, in which a kernel may lie that was compiled before.
    ImportError without both compilers, OSError where the folder cannot be written."""
    compilers = _compilers()
    from tilescope.loading import Watcher
    from tilescope.recorder.recording import Recording

    recording = Recording(folder, rebuild)
    loaded = [name for name in compilers if name in sys.modules]
    watcher = Watcher(recording.watch, set(compilers) - set(loaded))
    watcher.start()
    try:
        for name in loaded:
            recording.watch(name)
        yield
    finally:
        watcher.stop()
        recording.close()


def _compilers() -> list[str]:
    """Those that are installed."""
    from tilescope.loading import COMPILERS

    found = [name for name in COMPILERS if importlib.util.find_spec(name) is not None]
    if not found:
        raise ImportError("TileLang or Triton is needed for this: pip install tilelang, or triton")
    return found


def _need_tilelang() -> None:
    try:
        importlib.import_module("tilelang")
    except ImportError as error:
        raise ImportError(f"TileLang is needed for this ({error}): pip install tilelang") from error


def __getattr__(name: str):
    # Asked for late: whoever records a program imports this package and wants nothing of it.
    if name in ("Trace", "view"):
        from tilescope import trace

        return getattr(trace, name)
    if name == "lower":
        _need_tilelang()
        from tilescope import door

        return door.lower
    if name == "Problem":
        from tilescope.problem import Problem

        return Problem
    if name == "__version__":
        from tilescope import programs

        return programs.version()
    raise AttributeError(f"module 'tilescope' has no attribute '{name}'")
