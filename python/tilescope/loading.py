"""Notices when a program loads a compiler that is recorded."""

import importlib.util
import sys

COMPILERS = ("tilelang", "triton")


class Watcher:
    """Finds these as Python would, and calls `begin` with the name of each once it is loaded: until `stop`. A program may find one
    and not load it, as PyTorch does to know whether it is there."""

    def __init__(self, begin, packages=COMPILERS):
        self.begin, self.waiting = begin, set(packages)

    def find_spec(self, name, path=None, target=None):
        if name not in self.waiting:
            return None
        self.waiting.discard(name)
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.waiting.add(name)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def load_and_record(module):
                load(module)
                if name in self.waiting:
                    self.waiting.discard(name)
                    self.begin(name)

            spec.loader.exec_module = load_and_record
        return spec

    def start(self):
        sys.meta_path.insert(0, self)

    def stop(self):
        self.waiting.clear()
        if self in sys.meta_path:
            sys.meta_path.remove(self)
