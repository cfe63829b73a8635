"""Records every compile of a program into a folder: one trace an instance, and index.json.

Traces are printed and written by a thread of its own after TileLang has lowered; what is left when the program ends is
written then. A forked process, as the workers of PyTorch's Inductor, may be ended at any time from outside: it writes at once,
and what it wrote its parent says. Names depend on what is compiled alone: kernel, arguments, target and a hash of these with the program.
Several processes may record into one folder: each file gets its name when it is whole, and the index is merged."""

import atexit
import contextlib
import fcntl
import importlib
import json
import multiprocessing.util
import os
import pathlib
import queue
import subprocess
import sys
import threading
import time

from tilescope import programs
from tilescope.recorder.trace_names import name_of
from tilescope.recorder.trace_writer import output

# Of each compiler of tilescope.loading the module whose `watched(recording)`, a context, records its compiles.
MODULES = {"tilelang": "tilescope.recorder.compiles", "triton": "tilescope.recorder.triton.watched"}


class Recording:
    """Begins when it is made, in one process; `close` ends it. What it records `watch` says.

    An entry is what the index has of an instance: {kernel, target, file, arguments, chosen} and one of {trace, cache,
    error}, and `won` if a tuner chose it. A job is a compile that is over: `entry()`, `program_hash()`, `write(path)`, `error`, which is None or why it
    failed."""

    def __init__(self, folder, rebuild: bool = False):
        self.folder, self.rebuild = pathlib.Path(folder), rebuild
        self.folder.mkdir(parents=True, exist_ok=True)
        with output(self.folder / ".tilescope"):
            pass  # whether it can be written is found out now
        self.open_ = contextlib.ExitStack()
        self.is_child = False
        self.begin_process()
        os.register_at_fork(after_in_child=self.begin_child)
        multiprocessing.util.register_after_fork(self, Recording.close_with_child)
        atexit.register(self.close)

    def watch(self, package: str):
        """Records what a compiler that is loaded does from now on. Where that fails the program goes on."""
        try:
            module = importlib.import_module(MODULES[package])
            self.open_.enter_context(module.watched(self))
        except Exception as error:
            say(f"nothing of {package} is recorded into {self.folder}: {type(error).__name__}: {error}")

    def begin_process(self):
        self.process, self.entries, self.lock, self.began = os.getpid(), {}, threading.Lock(), time.time()
        self.waiting, self.thread = queue.SimpleQueue(), None
        self.winners = []  # (kernel, {argument: value}) that tuners chose
        self.is_closed = self.has_lost = False

    def begin_child(self):
        """What the parent recorded it writes itself."""
        if not self.is_closed:
            self.is_child = True
            self.begin_process()

    def close_with_child(self):
        """Children of multiprocessing end without atexit. They drop all finalizers after `begin_child`, and call this then."""
        if not self.is_closed:
            multiprocessing.util.Finalize(None, self.close, exitpriority=0)

    # ---- While the program runs

    def compiled(self, job):
        """Called where a compile ends, in its thread."""
        if self.is_child:
            self.write_or_say(job)
            return
        with self.lock:
            if self.thread is None:
                self.thread = threading.Thread(target=self.write_all, name="tilescope-record", daemon=True)
                self.thread.start()
        self.waiting.put(job)

    def seen(self, entry: dict):
        """What was not compiled has an entry and no trace."""
        with self.lock:
            self.entries.setdefault(key_of(entry), entry)

    def won(self, kernel: str, arguments: dict[str, str]):
        """A tuner chose what was compiled with these arguments, among others of the same kernel."""
        self.winners.append((kernel, arguments))

    def is_winner(self, entry: dict) -> bool:
        return any(kernel == entry["kernel"] and arguments.items() <= entry["arguments"].items()
                   for kernel, arguments in self.winners)

    # ---- The thread that writes

    def write_all(self):
        while (job := self.waiting.get()) is not None:
            self.write_or_say(job)

    def write_or_say(self, job):
        try:
            self.write(job)
        except OSError as error:
            self.has_lost = True
            say(f"cannot write into {self.folder}: {error.strerror or error}")
        except Exception as error:
            self.has_lost = True
            say(f"a compile is not recorded: {type(error).__name__}: {error}")

    def write(self, job):
        entry = job.entry()
        name = name_of(entry, job.program_hash())
        job.write(self.folder / name)
        entry |= {"trace": name} | ({"error": str(job.error)} if job.error is not None else {})
        with self.lock:
            self.entries[key_of(entry)] = entry
        # At once: a process may be ended from outside.
        write_index(self.folder, [entry])

    # ---- The end

    def close(self):
        if self.is_closed or self.process != os.getpid():
            return
        self.is_closed = True
        self.open_.close()
        atexit.unregister(self.close)
        self.finish_writing()
        others = [] if self.is_child else self.of_others()
        found = {key_of(entry): entry for entry in others} | self.entries
        is_judged = not self.is_child and any("trace" in entry for entry in found.values())
        judged = judgements(self.folder) if is_judged else {}
        entries = [entry | judged.get(entry.get("trace"), {}) | ({"won": True} if self.is_winner(entry) else {})
                   for entry in found.values()]
        try:
            write_index(self.folder, entries)
        except OSError as error:
            say(f"cannot write into {self.folder}: {error.strerror or error}")
        if not self.is_child and (entries or not self.has_lost):  # else all is said, or its parent says it
            summarise(self.folder, entries)

    def of_others(self) -> list[dict]:
        """What other processes have recorded since this one began."""
        return [entry for entry in read_index(self.folder) if "trace" in entry and written_at(self.folder / entry["trace"]) >= self.began]

    def finish_writing(self):
        if self.thread is None:
            return
        self.waiting.put(None)
        try:
            self.thread.join()
        except KeyboardInterrupt:
            say(f"interrupted: {self.waiting.qsize()} compiles are not recorded")


def written_at(path: pathlib.Path) -> float:
    """0: it is not there."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def key_of(entry: dict) -> str:
    return json.dumps([entry.get(name) for name in ("kernel", "target", "arguments", "trace", "cache", "error")])


def write_index(folder: pathlib.Path, entries):
    """Adds entries to those that are there already; one process at a time."""
    if not entries:
        return
    with open(folder / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            merged = {key_of(entry): entry for entry in [*read_index(folder), *entries]}
            instances = sorted(merged.values(), key=key_of)
            with output(folder / "index.json") as name:
                pathlib.Path(name).write_text(json.dumps({"instances": instances}, indent=1, ensure_ascii=False) + "\n",
                                              encoding="utf-8")
        finally:
            # Closing is not enough: a child that was forked meanwhile has the file open too, and would wait for itself.
            fcntl.flock(lock, fcntl.LOCK_UN)


def read_index(folder: pathlib.Path) -> list[dict]:
    """None of a file that is no index: it is written anew."""
    try:
        found = json.loads((folder / "index.json").read_text(encoding="utf-8"))["instances"]
        return [entry for entry in found if isinstance(entry, dict)]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def judgements(folder: pathlib.Path) -> dict[str, dict]:
    """By trace, {peakBytes, sound} as the program says; nothing where there is no program."""
    try:
        command = [programs.path("tilescope"), "show", "instances", folder, "--format", "json"]
        rows = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)["instances"]
        return {row["trace"]: {name: row[name] for name in ("peakBytes", "sound") if name in row} for row in rows}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def summarise(folder: pathlib.Path, entries):
    """The table at the end, on standard error: what a program prints stays its own."""
    if not entries:
        say("nothing was compiled")
        return
    words = ("kernel", "arguments", "target", "peak", "sound", "result")
    rows = [words, *(row_of(entry) for entry in sorted(entries, key=key_of))]
    widths = [max(map(len, column)) for column in zip(*rows)]
    traces = sum("trace" in entry for entry in entries)
    say(f"{traces} trace{'s' * (traces != 1)} in {folder}")
    for row in rows:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip(), file=sys.stderr)
    if any("cache" in entry for entry in entries):
        say("TILESCOPE_RECORD_REBUILD=1 goes round the caches")


def row_of(entry: dict) -> tuple[str, ...]:
    result = f"{entry['cache']} cache hit, not compiled" if "cache" in entry else entry.get("trace", "")
    if "error" in entry:
        result = f"failed: {entry['error'].splitlines()[0][:100]}" + (f" ({result})" if result else "")
    result += ", chosen by the tuner" if "won" in entry else ""
    arguments = " ".join(f"{name}={entry['arguments'][name]}" for name in entry["chosen"])
    peak = f"{entry['peakBytes']:,} bytes" if "peakBytes" in entry else "none" if "error" in entry else ""
    return entry["kernel"], arguments, entry["target"], peak, entry.get("sound", "").replace("-", " "), result


def say(text: str):
    print(f"tilescope: {text}", file=sys.stderr)
