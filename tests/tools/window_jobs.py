"""The ten jobs of the README's table: each in at most two actions, by keys alone and by the mouse; check_window.py runs these.

An action is a key, a click, a drag, or a line that is typed into a field and given by Enter; of an edit, what is typed
into the text and given by Ctrl+Enter.
"""

import re
import time

import tree
from window_driver import GEMM_SIZE
from window_history import make_repository
from window_listings import toolkit
from window_moves import is_quiet, middle

MOST_ACTIONS = 2
ATTENTION = [f"{tree.ROOT}/testdata/kernels/attention_fwd.py:attention", "--set", "heads=2", "--set", "num_stages=2"]
GEMM = [f"{tree.ROOT}/testdata/kernels/gemm_relu.py:matmul", *GEMM_SIZE, "--set", "block_K=64", "--set", "num_stages=3"]


class Hand:
    """Does what a user does, and counts it."""

    def __init__(self, viewer):
        self.viewer = viewer
        self.actions = 0

    def key(self, key):
        self.actions += 1
        self.viewer.key(key)

    def line(self, key, words):
        """Into the field that the key opens."""
        self.key(key)
        self.viewer.wait(lambda state: state["typing"], f"the field of {key}")
        self.viewer.type(words)
        self.viewer.key("Return")
        self.viewer.wait(lambda state: not state["typing"], f"an answer to {words}")

    def give(self, words):
        self.line("ctrl+shift+p", words)

    def click(self, place):
        self.actions += 1
        self.viewer.click(*middle(self.viewer.place(place)))
        self.viewer.settle()

    def drag(self, start, end):
        self.actions += 1
        self.viewer.point(*start)
        self.viewer.display.xdotool("mousedown", 1)
        self.viewer.wait(lambda state: state["mouse"][2], "the pressed button")
        self.viewer.point(*end)
        self.viewer.settle()
        self.viewer.display.xdotool("mouseup", 1)
        self.viewer.wait(lambda state: not state["mouse"][2], "the drop")

    def replace(self, old, new):
        """In the text that is open; Ctrl+F is one way to come to the place."""
        self.actions += 1
        self.viewer.key("ctrl+f")
        self.viewer.wait(lambda state: state["finding"], "the query")
        self.viewer.type(old)
        self.viewer.key("Return")
        self.viewer.wait(lambda state: state["foundLine"] > 0 and not state["finding"], old)
        self.viewer.type(new)
        self.viewer.wait(lambda state: state["textChanged"], "what was typed")
        self.viewer.key("ctrl+Return")


def says(viewer, panel, pattern):
    """A panel that is on screen, about the open kernel."""
    assert panel in viewer.state["places"], f"panel {panel} is not seen: {viewer.brief()}"
    viewer.go_to_panel(panel)
    viewer.key("ctrl+shift+c")
    viewer.wait(lambda state: re.search(pattern, state["copied"], re.MULTILINE), f"'{pattern}' in {panel}")


def attempt(bench, opened, answer, **ways):
    """The same job, each way from the start; `answer` waits for what is to be seen."""
    for way, act in ways.items():
        bench.forget()
        viewer = bench.open(*opened, "--size", "1600x1000")
        viewer.settle()
        hand = Hand(viewer)
        start = time.monotonic()
        act(hand)
        took = time.monotonic() - start
        assert hand.actions <= MOST_ACTIONS, f"{hand.actions} actions by {way}"
        answer(viewer)
        print(f"  by {way}: {hand.actions} actions, {took:.1f} s", flush=True)
        viewer.quit()


def check_job_which_pass_doubled_a_buffer(bench):
    attempt(bench, ATTENTION, lambda viewer: says(viewer, "buffer", r"inject-pipeline +versioned +1 -> 2 versions"),
            keys=lambda hand: hand.give("K_shared"), mouse=lambda hand: hand.click("arena K_shared"))


def check_job_which_pass_raised_the_peak(bench):
    """Passes has it from the start; the IR shows what was doubled."""

    def answer(viewer):
        viewer.wait(lambda state: state["passName"] == "inject-pipeline" and "ir text change" in state["places"], "its changes")
        says(viewer, "passes", r"inject-pipeline .* \+49,152")

    attempt(bench, ATTENTION, answer, keys=lambda hand: hand.give("pass inject-pipeline"), mouse=lambda hand: hand.click("pass 4"))


def check_job_who_shares_with_a_tile(bench):
    attempt(bench, ATTENTION, lambda viewer: says(viewer, "buffer", r"Q_shared +\[0, 16,384\) +live \[0, "),
            keys=lambda hand: hand.give("O_shared"), mouse=lambda hand: hand.click("arena O_shared"))


def check_job_what_fits_two_blocks(bench):
    def wait_for_trials(hand):
        hand.viewer.wait(lambda state: "try num_stages=2" in state["places"], "what other arguments would do, without scrolling")

    def by_keys(hand):
        hand.give("panel peak")
        wait_for_trials(hand)
        hand.give("2 blocks/SM")

    def by_mouse(hand):
        hand.click("tab peak")
        wait_for_trials(hand)
        hand.click("try num_stages=2")

    def answer(viewer):
        viewer.wait(lambda state: state["peakBytes"][0] < 98304 and is_quiet(state), "a lower peak")
        says(viewer, "peak", r"^ *2 blocks/SM")

    attempt(bench, GEMM, answer, keys=by_keys, mouse=by_mouse)


def check_job_which_slot_holds_iteration_5(bench):
    attempt(bench, ATTENTION, lambda viewer: says(viewer, "stages", "iteration i is in slot i mod 2"),
            keys=lambda hand: hand.give("panel stages"), mouse=lambda hand: hand.click("tab stages"))


def check_job_which_cuda_and_sass_reads_a_slot(bench):
    def by_keys(hand):
        hand.give("K_shared[1]")
        hand.give("panel sass")

    def by_mouse(hand):
        left, top, right, bottom = hand.viewer.place("arena K_shared")
        hand.actions += 1
        hand.viewer.click(left + (right - left) * 3 // 4, top + 20)
        hand.click("tab sass")

    def answer(viewer):
        viewer.wait(lambda state: state["buffer"] == "K_shared" and state["version"] == 1, "the slot")
        viewer.wait(lambda state: {"cuda text versions", "sass text versions"} <= state["places"].keys(), "how many lines use it, in both")

    with toolkit(bench):
        attempt(bench, ATTENTION, answer, keys=by_keys, mouse=by_mouse)


def check_job_an_argument_to_the_best_plan(bench):
    def by_mouse(hand):
        left, top, right, bottom = hand.viewer.place("argument num_stages")
        y = (top + bottom) // 2
        stop = (right - left) / 9  # from 0 to 8
        hand.drag((int(left + 2.5 * stop), y), (int(left + 1.5 * stop), y))

    def answer(viewer):
        viewer.wait(lambda state: state["arguments"]["num_stages"] == "1" and state["peakBytes"] == [49152], "the plan")

    attempt(bench, ATTENTION, answer, keys=lambda hand: hand.give("num_stages=1"), mouse=by_mouse)


def check_job_what_moved_between_two_commits(bench):
    kernel, commits = make_repository(bench.folder / "job_history")

    def by_mouse(hand):
        hand.click("tab history")
        hand.viewer.wait(lambda state: f"commit {commits[2]}" in state["places"], "the bar of the commit")
        hand.click(f"commit {commits[2]}")

    def answer(viewer):
        viewer.wait(lambda state: state["other"] in ("HEAD~1", commits[2]) and "compare" in state["places"], "the comparison")
        says(viewer, "compare", "81,920.*131,072")

    attempt(bench, [f"{kernel}:matmul", *GEMM_SIZE], answer, keys=lambda hand: hand.line("ctrl+shift+o", "HEAD~1"), mouse=by_mouse)


def check_job_edit_and_resume(bench):
    def by_keys(hand):
        hand.key("e")
        hand.viewer.wait(lambda state: state["editing"] and state["typing"], "the text with the keyboard")
        hand.replace("num_stages=2", "num_stages=1")

    def by_mouse(hand):
        """In the arena, up over bytes that are free: the edit of an offset."""
        place, other = hand.viewer.place("arena K_shared"), hand.viewer.place("arena V_shared")
        x, y = middle(place)
        hand.click("arena K_shared")
        hand.drag((x, y), (x + other[2] - place[0] + 20, y))

    def answer(viewer):
        viewer.wait(lambda state: state["edits"] and state["peakBytes"] != [81920] and is_quiet(state), "another plan")

    attempt(bench, [*ATTENTION, "--pass", "elaborate"], answer, keys=by_keys)
    attempt(bench, ATTENTION, answer, mouse=by_mouse)


def check_job_is_an_access_free_of_conflicts(bench):
    def by_keys(hand):
        hand.give("K_shared")
        hand.give("panel layouts")

    def by_mouse(hand):
        hand.click("arena K_shared")
        hand.click("tab layouts")

    def answer(viewer):
        viewer.wait(lambda state: any(re.match(r"layout grid swizzle.*: \d+ pass", name) for name in state["places"]), "the passes of the banks")

    attempt(bench, ATTENTION, answer, keys=by_keys, mouse=by_mouse)
