"""Everything about the buffer under the cursor."""

import asyncio
import re
from typing import Any

from lsprotocol import types

from tilescope.editor.snapshots import Instance, Snapshot
from tilescope.problem import Problem

WORD = re.compile(r"[^\W\d]\w*")


async def hover(snapshot: Snapshot, where: types.Position) -> types.Hover | None:
    """Of the instance of the kernel around, else of the first whose kernel has such a buffer."""
    place = snapshot.document.position_codec.position_from_client_units(snapshot.lines, where)
    if place.line >= len(snapshot.lines):
        return None
    name = next((word[0] for word in WORD.finditer(snapshot.lines[place.line])
                 if word.start() <= place.character <= word.end()), "")
    for instance in candidates(snapshot, place.line) if name else []:
        try:
            buffer, costs = await asyncio.gather(snapshot.ask(instance, "show", "buffer", f"--buffer={name}"),
                                                 snapshot.ask(instance, "show", "costs"))
        except Problem:
            continue
        text = "  \n".join(lines(buffer, costs, instance))
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))
    return None


def candidates(snapshot: Snapshot, line: int) -> list[Instance]:
    """The kernel that begins last above the line comes first."""
    def above(instance: Instance) -> int:
        begins = snapshot.line_of(instance.function)
        return begins if begins is not None and begins <= line else -1

    return sorted(snapshot.first_instances(), key=above, reverse=True)


def lines(buffer: dict[str, Any], costs: dict[str, Any], instance: Instance) -> list[str]:
    place = buffer.get("place") or {}
    told = [f"**{buffer['name']}** {type_text(buffer)}", bytes_line(buffer, place),
            layout_line(buffer), *life_lines(place, buffer), sharing_line(place, buffer), *conflict_lines(buffer, costs)]
    return [line for line in told if line] + [f"*{instance.label}*"]


def type_text(buffer: dict[str, Any]) -> str:
    """As it was declared: a fragment ends as the registers of one thread."""
    created = (entry["text"] for entry in buffer.get("history", []) if entry["kind"] == "created")
    return next(created, f"{buffer['type']} in {buffer['scope']}")


def bytes_line(buffer: dict[str, Any], place: dict[str, Any]) -> str:
    size = buffer.get("sizeBytes") or 0
    if not buffer["scope"].startswith("shared"):
        return ""
    if not place:
        return buffer.get("unplaced") or f"{size:,} bytes"
    begin, versions = place["buffer"].get("offsetBytes", 0), buffer.get("versions", 1)
    apart = f", {versions} versions, {place.get('strideBytes', 0):,} apart" if versions > 1 else ""
    return f"bytes [{begin:,}, {begin + size:,}): {size:,}{apart}"


def layout_line(buffer: dict[str, Any]) -> str:
    return f"layout {buffer['layout']}" if buffer.get("layout") else ""


def life_lines(place: dict[str, Any], buffer: dict[str, Any]) -> list[str]:
    if not place:
        return []
    placed = place["buffer"]
    live = ", ".join(f"[{life['begin']}, {life['end']})" for life in placed.get("live", []))
    told = [f"live {live}" if live else ""]
    for key, word in (("definition", "written"), ("lastUse", "last read")):
        if placed.get(key, {}).get("sourceLine"):
            told.append(f"{word} in line {placed[key]['sourceLine']}: `{placed[key]['source']}`")
    peak = buffer.get("peak") or {}
    if peak.get("isLive"):
        told.append(f"live where most is: {peak['sizeBytes']:,} of {peak['peakBytes']:,} bytes")
    return told


def sharing_line(place: dict[str, Any], buffer: dict[str, Any]) -> str:
    if not place:
        return ""
    shares = [f"{share['buffer']} [{share.get('beginBytes', 0):,}, {share.get('endBytes', 0):,})"
              for share in place.get("sharesWith", [])]
    return "shares bytes with " + ", ".join(shares) if shares else "shares bytes with no other"


def conflict_lines(buffer: dict[str, Any], costs: dict[str, Any]) -> list[str]:
    """By line of the kernel the access that takes most passes of the banks above what it must."""
    if not buffer["scope"].startswith("shared"):
        return []
    known, worst = 0, {}
    for row in costs.get("rows", []):
        for access in row.get("accesses", []):
            if access.get("buffer", 0) != buffer.get("buffer", 0) or not access.get("passes"):
                continue
            known += 1
            key = (row.get("sourceLine", 0), access.get("isWrite", False))
            extra = access["passes"] - access.get("leastPasses", 0)
            if extra > 0 and extra > worst.get(key, (0,))[0]:
                worst[key] = (extra, access)
    if not worst:
        return [f"no bank conflicts in {known} accesses"] if known else []
    return [f"bank conflicts in line {line}: {access['passes']} passes to {'write' if is_write else 'read'}, "
            f"{access['leastPasses']} without" for (line, is_write), (_, access) in sorted(worst.items())]
