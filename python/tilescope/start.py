"""Begins to record where TILESCOPE_RECORD names a folder, as soon as the program imports TileLang.

tilescope.pth imports this when Python starts and the variable is set."""

import importlib.util
import os
import sys

PACKAGE = "tilelang"


class Watcher:
    """Finds TileLang as Python would, and begins once it is loaded."""

    def find_spec(self, name, path=None, target=None):
        if name != PACKAGE:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def load_and_record(module):
                load(module)
                begin()

            spec.loader.exec_module = load_and_record
        return spec


def begin():
    folder = os.environ["TILESCOPE_RECORD"]
    try:
        from tilescope.recorder.recording import Recording
        Recording(folder, os.environ.get("TILESCOPE_RECORD_REBUILD") == "1")
    except Exception as error:
        print(f"tilescope: nothing is recorded into {folder}: {type(error).__name__}: {error}", file=sys.stderr)


sys.meta_path.insert(0, Watcher())
