"""The checks of check_window.py that move something: a buffer of the arena, a moment of a pipelined loop."""

import re

import tree

ATTENTION = tree.ROOT / "testdata/kernels/attention_fwd.py:attention"


def middle(place):
    left, top, right, bottom = place
    return (left + right) // 2, (top + bottom) // 2


def pin(viewer, name):
    viewer.go_to_panel("arena")
    viewer.click(*middle(viewer.place(f"arena {name}")))
    viewer.wait(lambda state: state.get("buffer", "").endswith(name), "the buffer")


def verdict(state, word):
    """"sound: K_shared at ...", if it begins with the word; "": none."""
    return next((name.removeprefix("move ") for name in state["places"] if name.startswith(f"move {word}")), "")


def is_quiet(state):
    return not state["compiling"] and not state["message"]


def check_a_buffer_is_dragged_in_the_arena(bench):
    """Over another that is live it is refused, and nothing is compiled; over free bytes the drop is an edit."""
    viewer = bench.open(ATTENTION, "--set", "heads=2", "--size", "1600x1000")
    pin(viewer, "K_shared")
    place, other = viewer.place("arena K_shared"), viewer.place("arena V_shared")

    def drag_to(x, word):
        viewer.point(*middle(place))
        bench.display.xdotool("mousedown", 1)
        viewer.wait(lambda state: state["mouse"][2], "the pressed button")
        viewer.point(x, middle(place)[1])
        viewer.wait(lambda state: verdict(state, word), word)
        said = verdict(viewer.state, word)
        bench.display.xdotool("mouseup", 1)
        viewer.wait(lambda state: not state["mouse"][2], "the drop")
        viewer.settle()
        return said

    said = drag_to(middle(other)[0], "refused")
    assert "V_shared holds bytes [" in said and ") at points [" in said, said
    assert not viewer.state["edits"] and not viewer.state["compiling"], viewer.brief()
    assert viewer.place("arena K_shared") == place, viewer.state["places"]
    peak = viewer.state["peakBytes"]
    drag_to(middle(place)[0] + other[2] - place[0] + 20, "sound")
    viewer.wait(lambda state: state["edits"] and is_quiet(state), "the edit, checked")
    assert viewer.state["peakBytes"] > peak, viewer.brief()
    viewer.key("ctrl+z")
    viewer.wait(lambda state: not state["edits"] and is_quiet(state) and state["peakBytes"] == peak, "the plan before")
    viewer.quit()


def check_a_buffer_is_moved_by_keys(bench):
    """From touch to touch: where it cannot lie the reason is said, and a key more goes on."""
    viewer = bench.open(ATTENTION, "--set", "heads=2", "--size", "1600x1000")
    pin(viewer, "K_shared")
    peak = viewer.state["peakBytes"]
    viewer.key("Left")
    viewer.wait(lambda state: verdict(state, "refused: "), "what is below it")
    assert "Q_shared holds bytes [0, " in verdict(viewer.state, ""), viewer.state["places"]
    viewer.key("Right")
    viewer.wait(lambda state: verdict(state, "sound: "), "where it was")
    assert not viewer.state["edits"], viewer.brief()
    viewer.key("Right")
    viewer.wait(lambda state: state["edits"] and is_quiet(state) and state["peakBytes"] > peak, "the edit, checked")
    viewer.key("ctrl+z")
    viewer.wait(lambda state: not state["edits"] and is_quiet(state) and state["peakBytes"] == peak, "the plan before")
    viewer.key("shift+Left")
    viewer.wait(lambda state: verdict(state, "refused: "), "no room for a step")
    viewer.quit()


def check_search_asks_predicates(bench):
    viewer = bench.open(bench.traces["attention"])
    viewer.key("slash")
    viewer.wait(lambda state: state["typing"], "a field that takes the keyboard")
    viewer.type("find planned and shares(Q_shared, O_shared)")
    viewer.wait(lambda state: state["query"].endswith("O_shared)"), "the query")
    viewer.settle()
    left, top, right, bottom = viewer.place("search strip")
    viewer.click(right - 2, (top + bottom) // 2)
    viewer.wait(lambda state: state["pass"] == state["passes"] - 1, "the last pass")
    viewer.settle()
    assert "search hits" in viewer.state["places"], "the facts after the last pass"
    viewer.click(left + 2, (top + bottom) // 2)
    viewer.wait(lambda state: state["pass"] == 0 and "search hits" not in state["places"], "nothing is planned yet")
    viewer.quit()


def moments(state):
    return {name for name in state["places"] if name.startswith(("moment ", "arena moment "))}


def check_a_moment_is_scrubbed(bench):
    """By keys and by a drag along the steps; Stages, Arena and the texts show the same one."""
    viewer = bench.open(bench.traces["attention"], "--size", "1600x1400")
    viewer.go_to_panel("arena")
    viewer.go_to_panel("stages")
    viewer.key("Right")
    viewer.wait(lambda state: any(name.startswith("moment prologue: ") for name in moments(state)), "the first moment")
    line = viewer.state["sourceLine"]
    for _ in range(3):
        viewer.key("shift+Right")
        viewer.settle()
    viewer.key("Right")
    viewer.settle()
    shown = {name.removeprefix("arena ").removeprefix("moment ") for name in moments(viewer.state)}
    assert len(shown) == 1 and shown.pop().startswith("iteration 2: "), moments(viewer.state)
    assert len(moments(viewer.state)) == 2 and viewer.state["sourceLine"] != line, moments(viewer.state)
    before = moments(viewer.state)
    left, top, right, bottom = viewer.place("steps of attention_kernel")
    viewer.point(left + 10, (top + bottom) // 2)
    viewer.settle()
    bench.display.xdotool("mousedown", 1)
    viewer.wait(lambda state: state["mouse"][2], "the pressed button")
    viewer.point(right - 10, (top + bottom) // 2)
    viewer.wait(lambda state: moments(state) and not moments(state) & before, "the moment under the mouse")
    viewer.settle()
    assert any(re.match("moment (iteration [1-9][0-9]|epilogue)", name) for name in moments(viewer.state)), moments(viewer.state)
    bench.display.xdotool("mouseup", 1)
    viewer.wait(lambda state: not state["mouse"][2], "the drop")
    viewer.key("Escape")
    viewer.wait(lambda state: not moments(state), "no moment")
    viewer.quit()


def shown_step(state):
    """"step 10 of 100, line 31, k=1: T.cp_async(...", if the panel shows one."""
    return next((name for name in state["places"] if re.match(r"step [\d,]+ of ", name)), "")


def check_steps_of_a_run_are_scrubbed(bench):
    """By keys, a drag along the steps and a click in the picture; the statement is pinned in every panel."""
    trace = bench.execute("run", "gemm_relu.py:matmul", "--set", "M=128", "--set", "N=128", "--set", "K=128")
    viewer = bench.open(trace, "--size", "1600x1000")
    viewer.go_to_panel("steps")
    viewer.wait(lambda state: shown_step(state).startswith("step 99 of 100, "), "the last step")
    viewer.key("Right")
    viewer.wait(lambda state: shown_step(state).startswith("step 0 of 100, line 31, row_step=0: T.cp_async(A["), "the first step")
    assert viewer.state["sourceLine"] == 31, viewer.brief()
    viewer.key("shift+Right")
    viewer.wait(lambda state: shown_step(state).startswith("step 1 of 100, line 31, row_step=1: "), "the same statement again")
    viewer.key("Left")
    viewer.wait(lambda state: shown_step(state).startswith("step 0 of 100, "), "the step before")
    left, top, right, bottom = viewer.place("steps gutter")
    viewer.point((left + right) // 2, top + 5)
    viewer.settle()
    bench.display.xdotool("mousedown", 1)
    viewer.wait(lambda state: state["mouse"][2], "the pressed button")
    viewer.point((left + right) // 2, bottom - 5)
    viewer.wait(lambda state: re.match("step 9[5-9] of 100, ", shown_step(state)), "the step under the mouse")
    bench.display.xdotool("mouseup", 1)
    viewer.wait(lambda state: not state["mouse"][2], "the drop")
    left, top, right, bottom = viewer.place("steps plot")
    viewer.click(left + (right - left) // 12, (top + bottom) // 2)
    viewer.wait(lambda state: state.get("buffer", "").endswith("A_shared"), "the buffer under the mouse")
    viewer.wait(lambda state: re.match("step (4[5-9]|5[0-5]) of 100, ", shown_step(state)), "the step under the mouse")
    viewer.key("Escape")
    viewer.wait(lambda state: shown_step(state).startswith("step 99 of 100, ") and "buffer" not in state, "no selection")
    viewer.quit()


def check_wraps_long_lines(bench):
    """A line that is wider than the panel takes several rows, in all texts, also after a new start."""
    viewer = bench.open(bench.traces["attention"], "--size", "1000x800")
    viewer.go_to_panel("cuda")
    viewer.key("End")
    viewer.settle()
    assert "cuda text wrapped" not in viewer.state["places"], "not before it is asked for"
    viewer.key("w")
    viewer.wait(lambda state: "cuda text wrapped" in state["places"] and "ir text wrapped" in state["places"], "rows of long lines")
    viewer.quit()
    viewer = bench.open(bench.traces["attention"], "--size", "1000x800")
    viewer.wait(lambda state: "ir text wrapped" in state["places"], "it is remembered")
    viewer.key("w")
    viewer.wait(lambda state: "ir text wrapped" not in state["places"], "as at first")
    viewer.quit()
