#!/usr/bin/env python3
"""The traces of testdata that were recorded from TileLang and Triton: each was written by the recorder as it is now, from the
version that ./dev peer or ./dev triton installs. `./dev peer --write testdata/traces` writes them anew, and so does
`./dev triton`."""

import hashlib
import json
import re

import tree

# Made by hand, and of recorders of format 1.4, which must still be read.
OTHERS = ("testdata/traces/written_", "testdata/traces/older_")
# What decides what a trace says, of python/: the recorder, and what brings it kernels and their arguments; not that of Triton.
DECIDE = ("python/tilescope/recorder/", "python/tilescope/kernel_files.py", "python/tilescope/definitions.py",
          "python/tilescope/factories.py", "python/tilescope/without_gpu.py")
OF_TRITON = "python/tilescope/recorder/triton/"


def recorder_hash(of_triton=False):
    said = hashlib.sha256()
    for path in sorted(tree.files(".py")):
        if path.startswith(OF_TRITON) if of_triton else path.startswith(DECIDE) and not path.startswith(OF_TRITON):
            said.update(f"{path}\n{tree.text(path)}".encode())
    return said.hexdigest()[:16]


def main():
    peer, triton = (re.search(rf'^{name}_VERSION="(.*)"$', tree.text("dev"), re.MULTILINE).group(1) for name in ("PEER", "TRITON"))
    of_peer = {"compiler": f"tilelang {peer}", "recorder": recorder_hash()}
    of_triton = {"compiler": f"triton {triton}", "recorder": recorder_hash(of_triton=True)}
    for path in tree.files(".trace"):
        header = json.loads(tree.text(path).partition("\n")[0])
        is_recorded = "compiler" in header and not path.startswith(OTHERS)
        is_of_triton = path.startswith("testdata/traces/triton_")
        expected, verb = (of_triton, "triton") if is_of_triton else (of_peer, "peer")
        for name, value in expected.items() if is_recorded else ():
            if header.get(name) != value:
                yield f"{path}: its {name} is {header.get(name)}, now it is {value}: ./dev {verb} --write testdata/traces"


if __name__ == "__main__":
    tree.finish("recorded traces", list(main()))
