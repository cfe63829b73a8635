"""Above a kernel, and above each of its instances: the peak, blocks per SM, whether it is sound, and the viewer."""

import contextlib
import subprocess
from typing import Any

from lsprotocol import types

from tilescope import programs
from tilescope.editor.diagnostics import VERDICTS
from tilescope.editor.hints import functions_of
from tilescope.editor.positions import line_range
from tilescope.editor.snapshots import Instance, Snapshot
from tilescope.problem import Problem

VIEW = "tilescope.view"


def lenses(snapshot: Snapshot) -> list[types.CodeLens]:
    """Without their text, which is asked for those that the editor shows."""
    places = [(instance.line, instance) for instance in snapshot.instances]
    places += [(line, instance) for instance in snapshot.first_instances()
               if (line := snapshot.line_of(instance.function)) is not None]
    return [types.CodeLens(range=line_range(snapshot, line), data=[snapshot.document.uri, instance.line, what])
            for line, instance in places for what in ("facts", "view")]


def instance_of(snapshot: Snapshot, line: int) -> Instance | None:
    return next((instance for instance in snapshot.instances if instance.line == line), None)


async def command(snapshot: Snapshot, instance: Instance, what: str) -> types.Command:
    if what == "view":
        return types.Command("open in the viewer", VIEW, arguments=[snapshot.document.uri, instance.line])
    try:
        checked = await snapshot.check(instance)
        title = facts(await snapshot.arena(instance), checked) if compiles(checked) else failure(checked)
    except Problem as problem:
        title = str(problem)
    return types.Command(title, "")


def compiles(checked: dict[str, Any]) -> bool:
    return not any(finding["severity"] == "error" for finding in checked["findings"]) or checked["verified"] == "yes"


def failure(checked: dict[str, Any]) -> str:
    over = checked.get("overCapacity")
    return f"{over}, not within capacity" if over else "does not compile"


def facts(arena: dict[str, Any], checked: dict[str, Any]) -> str:
    kernels = functions_of(arena)
    most = max(kernels, key=lambda kernel: kernel["peakBytes"])
    told = [f"{most['peakBytes']:,} of {most['capacityBytes']:,} bytes"]
    blocks = [kernel["occupancy"]["blocks"] for kernel in kernels if (kernel.get("occupancy") or {}).get("blocks")]
    if blocks:
        told.append(f"{min(blocks)} block{'s' if min(blocks) > 1 else ''} per SM")
    return ", ".join([*told, soundness(checked)])


def soundness(checked: dict[str, Any]) -> str:
    wrong = [label for name, label in VERDICTS.items() if checked[name] == "no"]
    open_questions = [label for name, label in VERDICTS.items() if checked[name] == "not-established"]
    if wrong:
        return "not " + ", not ".join(wrong)
    return "not established: " + ", ".join(open_questions) if open_questions else "sound"


def view(snapshot: Snapshot, instance: Instance) -> subprocess.Popen:
    """Opens the window, as a process of its own. Problem if there is no program for it."""
    try:
        return subprocess.Popen([programs.path("tilescope-view"), *snapshot.kernel_words(instance)], text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    except OSError as error:
        raise Problem(str(error)) from None


def reason_of(child: subprocess.Popen, seconds: float) -> str:
    """Why a window did not open; "": it is open after `seconds`."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        _, said = child.communicate(timeout=seconds)
        return said.strip() if child.returncode else ""
    return ""
