#!/usr/bin/env python3
"""Random input for the real window: no crash, no hang, no lost text, and nothing that disagrees with the command line.

usage: fuzz_window.py TILESCOPE-VIEW [COUNT] [--seed N]

Keys, words, clicks, drags, turns of the wheel, sizes of the window, and changes of the file that is shown, in rounds of
some thirty. After each round the program must answer to the mouse, no changed text of the editor may be gone unasked, and the text
of a panel ("Copy the text of the panel") must be what the command prints that the panel gives for it ("Copy the panel as
a command"). Best with the program of build/asan. Exit code 1, with the seed and the round, at the first finding.
"""

import argparse
import collections
import json
import pathlib
import queue
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import tree
from window_driver import GEMM_SIZE, PATIENCE_SECONDS, Display, Viewer

COMMANDS = tree.ROOT / "viewer/panels/commands.def"
PANELS = tree.ROOT / "viewer/panels/panels.def"
TIMED_PANELS = ("passes", "timeline")
ROUND = 30
XKEYS = {"/": "slash", ".": "period", ",": "comma", "[": "bracketleft", "]": "bracketright", "+": "plus", "-": "minus",
         "$": "dollar", "?": "question", "=": "equal", "Esc": "Escape", "Enter": "Return", "PageUp": "Prior",
         "PageDown": "Next", "Backspace": "BackSpace"}
KERNELS = [("gemm_relu.py", "matmul", GEMM_SIZE), ("attention_fwd.py", "attention", ["--set", "length=512", "--set", "num_stages=2"]),
           ("chunk_inverse.py", None, [])]
WORDS = ["0", "65536", "-1", "ldmatrix", "shared", "panel ir", "panel peak", "pass:merge", "((", "é", "A_shared[0]", "T.copy(", "num_stages=1",
         "num_stages=30", "K_shared[1]", "2 blocks/SM", "HEAD", "edit num_stages", "find peak > 16KiB"]
FIELDS = ["ctrl+shift+p", "ctrl+shift+p", "slash", "ctrl+shift+o"]


def xkey(name):
    *modifiers, last = name.split("+") if name not in ("+", "Ctrl++") else [*name.split("+")[:-2], "+"]
    return "+".join([*(modifier.lower() for modifier in modifiers), XKEYS.get(last, last)])


def keys():
    """Of every command but Quit, and those that move in a text."""
    found = re.findall(r'(?m)^COMMAND\((\w+), \w+, ".*", "(.*)"\)', COMMANDS.read_text())
    named = [xkey(key) for command, keys in found if command != "Quit" for key in keys.split()]
    return [*named, "Left", "Right", "Delete", "BackSpace", "ctrl+a", "ctrl+z", "ctrl+Return", "Tab", "Escape", "Return", "F5"]


def a_place(chance, state):
    """Somewhere in the window; as often in a part of it that has a name."""
    places = [place for place in state.get("places", {}).values() if place[2] > place[0] and place[3] > place[1]]
    if places and chance.random() < 0.5:
        left, top, right, bottom = chance.choice(places)
        return [chance.randint(max(left, 0), max(right, 1)), chance.randint(max(top, 0), max(bottom, 1))]
    return [chance.randrange(1280), chance.randrange(800)]


def words_of_input(chance, state, known):
    """For xdotool: one input."""
    kind = chance.choices(["key", "click", "drag", "wheel", "type", "twice"], [10, 6, 3, 3, 1, 1])[0]
    if kind == "key":
        return ["key", chance.choice(known)]
    if kind == "type":
        return ["type", "--", chance.choice(WORDS)]
    to = ["mousemove", *a_place(chance, state)]
    if kind == "click":
        return [*to, "click", chance.choice([1, 1, 1, 3])]
    if kind == "twice":
        return [*to, "click", "--repeat", 2, 1]
    if kind == "wheel":
        wheel = ["click", "--repeat", chance.randint(1, 5), chance.choice([4, 5])]
        return [*to, *(["keydown", "ctrl", *wheel, "keyup", "ctrl"] if chance.random() < 0.3 else wheel)]
    return [*to, "mousedown", 1, "mousemove", *a_place(chance, state), "mousemove", *a_place(chance, state), "mouseup", 1]


def inputs(chance, state, known):
    """For xdotool: mostly one, or a line that is given to a field."""
    if chance.random() < 0.05:
        return [["key", chance.choice(FIELDS)], ["type", "--", chance.choice(WORDS)], ["key", "Return"]]
    return [words_of_input(chance, state, known)]


class Subject:
    """A kernel file of its own that is shown, or a trace, and what happens to it."""

    def __init__(self, folder, chance):
        name, function, arguments = chance.choice(KERNELS)
        self.chance = chance
        self.path = folder / name
        self.whole = tree.text(f"testdata/kernels/{name}")
        self.path.write_text(self.whole)
        for words in (["init", "-q"], ["add", name], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "First", "--allow-empty"]):
            subprocess.run(["git", *words], cwd=folder, check=True)  # for panel History
        if function is None:
            line = next(line for line in self.whole.splitlines() if line.startswith("# tilescope: "))
            function, *arguments = line.removeprefix("# tilescope: ").split()
        self.kernel, self.arguments = f"{self.path}:{function}", arguments

    def change(self):
        """Another number, half of the file, nothing at all, or what it was."""
        kind = self.chance.choice(["number", "half", "gone", "whole", "whole"])
        if kind == "gone":
            self.path.unlink(missing_ok=True)
            return
        text = self.whole
        if kind == "half":
            text = text[:self.chance.randrange(len(text))]
        if kind == "number":
            numbers = list(re.finditer(r"\b\d+\b", text))
            at = self.chance.choice(numbers)
            text = text[:at.start()] + str(self.chance.choice([0, 1, 3, 16, 64, 128, 1000])) + text[at.end():]
        self.path.write_text(text)

    def restore(self):
        self.path.write_text(self.whole)


def states_since(viewer, chance):
    """All that were printed, in order, until it answers to the mouse, has taken every key, and nothing changes."""
    states = [viewer.state]
    x, y = chance.randrange(5, 150), chance.randrange(5, 120)
    viewer.display.xdotool("mousemove", x, y)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        ended = viewer.process.poll()
        assert ended is None, f"ended with {ended}: {''.join(viewer.errors)}"
        viewer.state = states[-1]
        assert time.monotonic() < deadline, f"no answer: {viewer.brief()}"
        is_answered = viewer.state.get("mouse", [])[:2] == [x, y] and not viewer.state["behind"]
        try:
            states.append(json.loads(viewer.lines.get(timeout=0.5)))
        except queue.Empty:
            if is_answered:
                return states


def check_no_text_is_lost(states):
    for before, after in zip(states, states[1:]):
        is_gone = before.get("editing") and before["textChanged"] and not after.get("editing")
        is_answered = before["asksToDiscard"] or after["edits"] != before["edits"] or after["compiling"]
        assert not is_gone or is_answered, f"a changed text is gone: {before['editing']}"


def why_not_comparable(state):
    """"": it shows a kernel, compiled to the end, as its file is."""
    if "pass" not in state:
        return "nothing is open"
    return next((f"{what} {state[what]}" for what in ("compiling", "edits", "message", "stoppedBefore") if state[what]), "")


def is_calm(state):
    return not (state["popup"] or state["editing"] or state["typing"])


def calm(viewer, chance):
    """Closes what is open, as a user would: Esc, and Enter where changes are asked about; the last compile ends."""
    states = states_since(viewer, chance)
    for _ in range(10):
        if is_calm(states[-1]):
            break
        viewer.key("Return" if states[-1]["asksToDiscard"] else "Escape")
        states += states_since(viewer, chance)
    assert is_calm(states[-1]), f"Esc does not close what is open: {viewer.brief()}"
    viewer.wait(lambda state: not state["compiling"], "the end of the compile")
    return states + states_since(viewer, chance)


def give_command(viewer, words):
    viewer.key("ctrl+shift+p")
    viewer.wait(lambda state: state["typing"], "the field of the palette")
    viewer.type(words)
    viewer.key("Return")


def let_it_compile(viewer, chance):
    """Without a stop, without edits, and, where what is left does not compile, as it was opened."""
    states = []
    for what, act in (("stoppedBefore", lambda: viewer.key("x")), ("edits", lambda: give_command(viewer, "drop all edits")),
                      ("message", lambda: viewer.key("r")),
                      ("message", lambda: give_command(viewer, "arguments as the kernel was opened"))):
        if viewer.state[what]:
            act()
            states += calm(viewer, chance)
    return states


def copied(viewer, key):
    """What the clipboard gets; the status line says so even where it had the same."""
    before = viewer.state["status"]
    viewer.key(key)
    viewer.settle()
    for _ in range(20):  # a machine under load takes its time
        if viewer.state["status"] != before:
            break
        viewer.settle()
    return viewer.state["copied"] if viewer.state["status"].startswith("copied") else ""


def without_times(panel, text):
    """Those of another compile are others, and so are their bars and the widths of their columns."""
    return re.sub(r"\d+\.\d+|[ #]+", lambda found: "ms" if found[0][0].isdigit() else " ", text) if panel in TIMED_PANELS else text


def difference(bench, viewer, panel):
    """Between what a panel shows and what its command prints; "": none, or it shows nothing."""
    command, text = copied(viewer, "alt+c"), copied(viewer, "ctrl+shift+c")
    if not (command and text):
        return ""
    printed = subprocess.run(f"{bench.tilescope}{command.removeprefix('tilescope')}", shell=True, capture_output=True, text=True)
    if printed.returncode == 2 and text.splitlines()[0] in printed.stderr:
        return ""  # why there is nothing
    return "" if without_times(panel, printed.stdout) == without_times(panel, text) else f"panel {panel} shows what `{command}` does not print ({printed.stderr.strip()}):\n{text}\nprinted:\n{printed.stdout}"


def check_panel_says_the_same(bench, viewer, panel):
    """In the end: that the file is whole again is seen after a while."""
    viewer.go_to_panel(panel)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while found := difference(bench, viewer, panel):
        assert time.monotonic() < deadline, found
        time.sleep(1)


class Fuzz:
    def __init__(self, display, program, folder, chance):
        self.display, self.program, self.folder, self.chance = display, program, folder, chance
        self.tilescope = pathlib.Path(program).parent / "tilescope"
        self.keys = keys()
        self.panels = re.findall(r"(?m)^PANEL\((\w+)", PANELS.read_text())
        self.compared = 0
        self.not_compared = collections.Counter()

    def open(self):
        self.subject = Subject(self.folder, self.chance)
        self.viewer = Viewer(self.display, self.program, self.folder / "settings", self.subject.kernel, *self.subject.arguments)
        self.viewer.wait(lambda state: "pass" in state, "an open kernel")

    def give_input(self):
        for _ in range(ROUND):
            for words in inputs(self.chance, self.viewer.state, self.keys):
                self.display.xdotool(*words)
        for happens, what in ((0.3, self.resize), (0.3, self.subject.change)):
            if self.chance.random() < happens:
                what()

    def resize(self):
        for window in self.display.xdotool("search", "--onlyvisible", "--pid", self.viewer.process.pid).split():
            self.display.xdotool("windowsize", window, self.chance.randint(200, 2000), self.chance.randint(150, 1400))

    def round(self):
        """Thirty inputs, and what must hold after them."""
        self.give_input()
        states = states_since(self.viewer, self.chance)
        self.subject.restore()
        states += calm(self.viewer, self.chance)
        states += let_it_compile(self.viewer, self.chance)
        check_no_text_is_lost(states)
        if why := why_not_comparable(states[-1]):
            self.not_compared[why] += 1
            return
        check_panel_says_the_same(self, self.viewer, self.chance.choice(self.panels))
        self.compared += 1

    def close(self):
        self.viewer.process.terminate()
        self.viewer.process.wait(timeout=PATIENCE_SECONDS)
        faults = [line for line in self.viewer.errors if "Sanitizer" in line or "runtime error" in line]
        assert not faults, "".join(self.viewer.errors)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("viewer", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("count", nargs="?", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    if missing := [tool for tool in ("Xvfb", "xdotool") if not shutil.which(tool)]:
        sys.exit(f"fuzz_window: {' and '.join(missing)} missing")
    with tempfile.TemporaryDirectory() as folder, Display() as display:
        fuzz = Fuzz(display, given.viewer, pathlib.Path(folder), chance)
        fuzz.open()
        for done in range(0, given.count, ROUND):
            try:
                if chance.random() < 0.05:
                    fuzz.close()
                    fuzz.open()
                fuzz.round()
            except AssertionError as error:
                print(f"seed {given.seed}, after {done} inputs: {error}")
                return 1
            print(f"\r{done + ROUND} inputs, {fuzz.compared} comparisons", end="", flush=True)
        fuzz.close()
    rest = "".join(f", {count} rounds not compared: {why}" for why, count in fuzz.not_compared.items())
    print(f"\nfuzz_window: {given.count} inputs, {fuzz.compared} comparisons with the command line{rest}, no finding")
    return 0


if __name__ == "__main__":
    sys.exit(main())
