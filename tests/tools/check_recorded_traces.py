#!/usr/bin/env python3
"""The traces of testdata that were recorded from TileLang: each was written by the recorder as it is now, from the version
of TileLang that ./dev peer installs. `./dev peer --write testdata/traces` writes them anew."""

import hashlib
import json
import re

import tree

# Made by hand, and of recorders of format 1.4, which must still be read.
OTHERS = ("testdata/traces/written_", "testdata/traces/older_")
# What decides what a trace says, of python/: the recorder, and what brings it kernels and their arguments.
DECIDE = ("python/tilescope/recorder/", "python/tilescope/kernel_files.py", "python/tilescope/factories.py",
          "python/tilescope/without_gpu.py")


def recorder_hash():
    said = hashlib.sha256()
    for path in sorted(tree.files(".py")):
        if path.startswith(DECIDE):
            said.update(f"{path}\n{tree.text(path)}".encode())
    return said.hexdigest()[:16]


def main():
    version = re.search(r'^PEER_VERSION="(.*)"$', tree.text("dev"), re.MULTILINE).group(1)
    expected = {"compiler": f"tilelang {version}", "recorder": recorder_hash()}
    for path in tree.files(".trace"):
        header = json.loads(tree.text(path).partition("\n")[0])
        is_recorded = "compiler" in header and not path.startswith(OTHERS)
        for name, value in expected.items() if is_recorded else ():
            if header.get(name) != value:
                yield f"{path}: its {name} is {header.get(name)}, now it is {value}: ./dev peer --write testdata/traces"


if __name__ == "__main__":
    tree.finish("recorded traces", list(main()))
