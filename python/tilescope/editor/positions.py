"""Places of the program, lines from 1 and columns in bytes from 1, as those of editors."""

from typing import Any

from lsprotocol import types

from tilescope.editor.snapshots import Snapshot


def span_range(snapshot: Snapshot, span: list[int]) -> types.Range:
    """Of `line, column, end line, end column`; the last two may be 0: up to the end of the line."""
    line, column, end_line, end_column = span
    last = end_line or line
    return types.Range(position(snapshot, line, column),
                       position(snapshot, last, end_column) if end_column else line_range(snapshot, last - 1).end)


def place_range(snapshot: Snapshot, place: dict[str, Any]) -> types.Range:
    if not place.get("column"):
        return line_range(snapshot, place["line"] - 1)
    return span_range(snapshot, [place["line"], place["column"], place.get("endLine", 0), place.get("endColumn", 0)])


def line_range(snapshot: Snapshot, line: int) -> types.Range:
    """A line, from 0, without what is around its text."""
    text = text_of(snapshot, line)
    indentation = len(text) - len(text.lstrip())
    return types.Range(_sent(snapshot, line, indentation), _sent(snapshot, line, len(text.rstrip())))


def position(snapshot: Snapshot, line: int, column: int) -> types.Position:
    before = text_of(snapshot, line - 1).encode()[: max(column - 1, 0)]
    return _sent(snapshot, line - 1, len(before.decode(errors="replace")))


def text_of(snapshot: Snapshot, line: int) -> str:
    return snapshot.lines[line].rstrip("\r\n") if 0 <= line < len(snapshot.lines) else ""


def _sent(snapshot: Snapshot, line: int, character: int) -> types.Position:
    """In the units that client and server agreed on."""
    units = snapshot.document.position_codec.client_num_units(text_of(snapshot, line)[:character])
    return types.Position(line, units)
