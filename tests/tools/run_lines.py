"""RUN lines outside of lit: what the update scripts need to run a test's own command."""

import os
import pathlib
import re
import shlex
import subprocess
import tempfile

import tree

RUN = re.compile(r"^\s*(?:#|//)\s*RUN:\s*(.*)$")
CHECKER = re.compile(r"\|\s*FileCheck\b(.*)$")
LLVM_TOOLS = os.environ.get("LLVM_TOOLS", "/usr/lib/llvm-19/bin")


def commands(text):
    """The RUN lines of a test, continuation lines joined."""
    joined, pending = [], ""
    for line in text.splitlines():
        match = RUN.match(line)
        if match:
            pending += match.group(1).strip()
            if pending.endswith("\\"):
                pending = pending[:-1]
            else:
                joined.append(pending)
                pending = ""
    return joined


def split_checker(command):
    """(producer, prefix) of `producer | FileCheck %s --check-prefix=PREFIX`; (command, None) without one."""
    match = CHECKER.search(command)
    if not match:
        return command, None
    prefix = re.search(r"--check-prefix(?:es)?[= ](\w[\w-]*)", match.group(1))
    return command[:match.start()].strip(), prefix.group(1) if prefix else "CHECK"


def output_of(command, path, tilescope):
    """Standard output of a RUN line's producer, run as lit would run it."""
    folder = tempfile.mkdtemp(prefix="tilescope-run-")
    source = str(tree.ROOT / path)
    for name, value in [("%S", os.path.dirname(source)), ("%s", source), ("%t", f"{folder}/t"),
                        ("%kernels", str(tree.ROOT / "testdata/kernels")),
                        ("%traces", str(tree.ROOT / "testdata/traces"))]:
        command = re.sub(re.escape(name) + r"(?![a-z])", lambda _, v=value: v, command)
    paths = f"{pathlib.Path(tilescope).resolve().parent}:{LLVM_TOOLS}:{tree.ROOT}/tests/tools:{os.environ['PATH']}"
    environment = dict(os.environ, PATH=paths, NO_COLOR="1", LC_ALL="C.UTF-8")
    result = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)
    subprocess.run(["rm", "-r", folder])
    return result.stdout.replace(source, "%s").replace(shlex.quote(folder), "%t")
