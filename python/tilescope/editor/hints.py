"""What an allocation takes of shared memory, behind its line."""

from typing import Any

from lsprotocol import types

from tilescope.editor.positions import line_range
from tilescope.editor.snapshots import Instance, Snapshot
from tilescope.problem import Problem


async def hints(snapshot: Snapshot, wanted: types.Range) -> list[types.InlayHint]:
    made: dict[int, types.InlayHint] = {}  # by line: a macro may allocate several times
    for instance in snapshot.first_instances():
        try:
            arena = await snapshot.arena(instance)
        except Problem:
            continue
        for line, buffers in by_line(arena).items():
            if wanted.start.line <= line <= wanted.end.line:
                made.setdefault(line, hint(snapshot, instance, line, buffers))
    return list(made.values())


def functions_of(arena: dict[str, Any]) -> list[dict[str, Any]]:
    return arena.get("functions") or [arena]


def by_line(arena: dict[str, Any]) -> dict[int, list[dict[str, Any]]]:
    """Buffers by the line, from 0, that allocates them. What is made from another buffer has its bytes."""
    lines: dict[int, list[dict[str, Any]]] = {}
    for function in functions_of(arena):
        for buffer in [*function.get("buffers", []), *function.get("statics", [])]:
            if buffer.get("sourceLine") and not buffer.get("viewOf"):
                lines.setdefault(buffer["sourceLine"] - 1, []).append(buffer)
    return lines


def hint(snapshot: Snapshot, instance: Instance, line: int, buffers: list[dict[str, Any]]) -> types.InlayHint:
    texts = list(dict.fromkeys(bytes_text(buffer) for buffer in buffers))
    label = texts[0] if len(texts) == 1 else "; ".join(f"{buffer['name']}: {bytes_text(buffer)}" for buffer in buffers)
    tooltip = "\n".join([*(place_text(buffer) for buffer in buffers), f"with: {instance.label}"])
    return types.InlayHint(position=line_range(snapshot, line).end, label=label, padding_left=True, tooltip=tooltip)


def bytes_text(buffer: dict[str, Any]) -> str:
    versions = buffer.get("versions", 0)
    return f"{buffer['sizeBytes']:,} bytes" + (f", {versions} versions" if versions > 1 else "")


def place_text(buffer: dict[str, Any]) -> str:
    if "offsetBytes" not in buffer:
        return f"{buffer['name']}: static, placed by the CUDA compiler"
    begin, end = buffer["offsetBytes"], buffer["offsetBytes"] + buffer["sizeBytes"]
    return f"{buffer['name']}: bytes [{begin:,}, {end:,}), {buffer.get('reason', '')}"
