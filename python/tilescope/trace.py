"""Traces for scripts and notebooks. The program reads and judges them; this runs it and hands on what it prints."""

import base64
import html
import json
import os
import pathlib
import subprocess
from collections.abc import Iterator
from typing import Any

from tilescope import programs
from tilescope.problem import Problem

# By exit code: fine, and findings, which are an answer as well.
ANSWERS = (0, 1)


def run(*arguments: str | os.PathLike) -> str:
    """What the program prints; Problem with its own words where it cannot answer."""
    try:
        done = subprocess.run([programs.path("tilescope"), *map(str, arguments)], capture_output=True, text=True)
    except OSError as error:
        raise Problem(str(error)) from None
    if done.returncode not in ANSWERS:
        raise Problem(done.stderr.strip() or f"tilescope ended with {done.returncode}")
    return done.stdout


def ask(*arguments: str | os.PathLike) -> dict[str, Any]:
    """The same as JSON; docs/json.md says what its keys mean. A key that is missing is 0, "", false or an empty list."""
    return json.loads(run(*arguments, "--format", "json"))


class Trace:
    """A compile as it was recorded, of Tilescope or of TileLang's own compiler.

    Passes are named by name or number; without one, it is the last. Sizes and offsets are bytes, lives are program points,
    intervals are [begin, end)."""

    def __init__(self, path: str | os.PathLike):
        """Problem if it cannot be read."""
        self.path = pathlib.Path(path)
        if self.path.is_dir():
            raise Problem(f"{path} is a folder: open one of its traces; tilescope.view and the program take all of them")
        try:
            header = next(self._records(), {})
        except OSError as error:
            raise Problem(f"cannot read {path}: {error.strerror or error}") from None
        except ValueError:
            header = {}
        if not isinstance(header, dict) or header.get("record") != "trace":
            raise Problem(f"cannot read {path}: it is no trace")
        self.header: dict[str, Any] = header

    def _records(self) -> Iterator[dict[str, Any]]:
        with open(self.path, encoding="utf-8") as lines:
            yield from map(json.loads, lines)

    def __repr__(self) -> str:
        return f"Trace({str(self.path)!r})"

    @property
    def kernel(self) -> str:
        return self.header.get("function", "")

    @property
    def target(self) -> str:
        """"sm_80", "sm_90a", ..."""
        return self.header.get("target", "")

    @property
    def compiler(self) -> str:
        """Whose passes these are, with its version; "": Tilescope's."""
        return self.header.get("compiler", "")

    @property
    def arguments(self) -> dict[str, str]:
        """By name, as Python literals."""
        return {given["name"]: given["value"] for given in self.header.get("parameters", ())}

    def show(self, view: str, *options: str, after: str | int | None = None) -> dict[str, Any]:
        """A view of `tilescope show`: trace.show("lifetimes", after="inject-pipeline")."""
        return ask("show", view, self.path, *options, *_after(after))

    @property
    def passes(self) -> list[dict[str, Any]]:
        """In order: what each changed, its time in microseconds, what the checks said."""
        return self.show("passes")["passes"]

    def buffers(self, after: str | int | None = None) -> list[dict[str, Any]]:
        """The declarations after a pass: `name`, `dtype`, `shape` (elements), `scope`, `versions`, `layout`, `sizeBytes` and
        `offsetBytes` once they are known."""
        found, end = [], None
        for record in self._records():
            if record["record"] == "buffers":
                found = record["buffers"]
            if record["record"] == "passEnd":
                end = record
                if after in (record["name"], record.get("index", 0)):
                    return found
        if after is not None or end is None:
            raise Problem(f"{self.path} has no pass {after!r}")
        return found

    def arena(self, after: str | int | None = None) -> dict[str, Any]:
        """Where each shared buffer lies, and what proves the plan."""
        return self.show("arena", after=after)

    def ir(self, after: str | int | None = None) -> str:
        return run("show", "ir", self.path, *_after(after))

    @property
    def cuda(self) -> str:
        return "\n".join(line.get("text", "") for line in self.show("cuda").get("lines", ()))

    def check(self) -> dict[str, Any]:
        """Judged anew: `verified`, `arenaSound`, `hazardFree`, `withinCapacity` are each "yes", "no" or "not-established",
        with `findings` and what stopped a check in `notEstablished`."""
        return ask("check", self.path)

    def find(self, predicate: str) -> dict[str, Any]:
        """trace.find("shares(Q_shared, O_shared) and planned")["hits"]: the passes after which it holds."""
        return ask("find", self.path, predicate)

    def why(self, *buffers: str) -> str:
        """Why a buffer lies where it does, or why two share bytes or do not; without one, what makes the peak."""
        return run("why", self.path, *(buffers or ("--peak",)))

    def diff(self, other: "Trace | str | os.PathLike") -> dict[str, Any]:
        """What differs in `other` from this one, as it was before."""
        return ask("diff", self.path, other.path if isinstance(other, Trace) else other)

    def _repr_html_(self) -> str:
        """The kernel, the verdicts, and pictures of arena and lifetimes."""
        verdicts = self.check()
        words = ", ".join(f"{label}: {verdicts[name].replace('-', ' ')}" for name, label in VERDICTS.items())
        title = " ".join([self.kernel, *(f"{name}={value}" for name, value in self.arguments.items()), self.target])
        pictures = "".join(_picture(run("show", view, self.path, "--format", "svg"), view) for view in ("arena", "lifetimes"))
        return f"<div><b>{html.escape(title)}</b><br>{html.escape(words)}<br>{pictures}</div>"


VERDICTS = {"arenaSound": "arena sound", "hazardFree": "free of hazards", "withinCapacity": "within capacity"}


def _after(name: str | int | None) -> list[str]:
    return [] if name is None else ["--pass", str(name)]


def _picture(svg: str, words: str) -> str:
    """As an image of its own: a page may hold several, and names inside them must not meet."""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img alt="{words}" src="data:image/svg+xml;base64,{data}"><br>'


def view(trace: Trace | str | os.PathLike) -> subprocess.Popen:
    """Opens the viewer on a trace or a folder of traces, as a process of its own."""
    path = trace.path if isinstance(trace, Trace) else trace
    return subprocess.Popen([programs.path("tilescope-view"), path])
