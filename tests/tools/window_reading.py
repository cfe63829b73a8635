"""What a reader does in the window, by keys alone where that is possible; check_window.py runs these."""

import json
import shlex
import subprocess
import time

import tree
from window_driver import GEMM_SIZE, PATIENCE_SECONDS


def check_shows_what_each_step_changed(bench):
    """The first change, with the beginnings of its lines; d goes on to the next."""
    viewer = bench.open(bench.traces["attention"], "--size", "1000x700")
    viewer.key("Home")
    viewer.wait(lambda state: state["pass"] == 0, "the first pass")
    viewer.go_to_panel("ir")
    seen = []
    for index in range(1, viewer.state["passes"]):
        viewer.key("j")
        viewer.wait(lambda state: state["pass"] == index, f"pass {index}")
        viewer.settle()
        change = viewer.state["places"].get("ir text change")
        text = viewer.place("ir text")
        assert not change or change[0] == text[0], f"{viewer.state['passName']}: scrolled aside to {change}"
        seen += [viewer.state["passName"]] if change else []
        if viewer.state["passName"] == "insert-barriers" and change:
            places = [change]
            for _ in range(2):
                viewer.key("d")
                viewer.settle()
                places.append(viewer.state["places"]["ir text change"])
            assert text[1] <= min(place[1] for place in places) and max(place[3] for place in places) <= text[3], places
    viewer.key("z")
    viewer.settle()
    assert viewer.state["places"]["ir text change"], "a change beside folds"
    assert {"inject-pipeline", "lower-tile-ops", "insert-barriers", "merge-shared-memory"} <= set(seen), seen
    viewer.quit()


def check_a_card_is_whole_at_once(bench):
    """What a panel shows when it comes is what it shows when the mouse moves."""
    viewer = bench.open(bench.traces["attention"])
    viewer.point(5, 5)
    viewer.settle()
    viewer.key("period")
    viewer.wait(lambda state: "buffer" in state, "a buffer")
    viewer.settle()
    parts = {name: place for name, place in viewer.state["places"].items() if name.startswith("buffer")}
    viewer.point(6, 6)
    viewer.settle()
    later = {name: place for name, place in viewer.state["places"].items() if name.startswith("buffer")}
    assert len(parts) > 1 and parts == later, f"{parts} then {later}"
    viewer.quit()


def check_a_key_closes_a_menu(bench):
    viewer = bench.open(bench.traces["gemm"])
    left, top, _, _ = viewer.place("passes")
    count = viewer.state["passes"]
    for key, then in (("Escape", count - 1), ("k", count - 2)):
        viewer.point(left + 10, top - 8)
        bench.display.xdotool("click", 3)
        viewer.wait(lambda state: state["popup"], "the menu of a tab")
        viewer.key(key)
        viewer.wait(lambda state: not state["popup"] and state["pass"] == then, f"{key} closes it")
    viewer.quit()


def check_opens_one_kernel_of_a_file(bench):
    kernel = bench.folder / "two.py"
    text = tree.text("testdata/kernels/gemm_relu.py")
    kernel.write_text(text + text[text.index("@tilelang.jit"):].replace("def matmul(", "def second("))
    viewer = bench.open(bench.traces["gemm"])
    viewer.give_path("ctrl+o", f"{kernel}:second --set M=512 --set N=512 --set K=256")
    viewer.wait(lambda state: state["file"] == str(kernel) and state["arguments"]["K"] == "256", "the second kernel")
    assert viewer.state["recent"][0] == f"{kernel}:second --set M=512 --set N=512 --set K=256", viewer.state["recent"]
    viewer.quit()


def check_no_error_of_half_a_file(bench):
    kernel = bench.folder / "half.py"
    text = tree.text("testdata/kernels/gemm_relu.py")
    kernel.write_text(text)
    viewer = bench.open(kernel, *GEMM_SIZE)
    peak = viewer.state["peakBytes"]
    viewer.settle()
    longer = text.replace("block_K: int = 32", "block_K: int = 64")
    with kernel.open("w") as out:
        out.write(longer[:len(longer) // 2])
        out.flush()
        time.sleep(0.01)
        out.write(longer[len(longer) // 2:])
    while viewer.state["peakBytes"] == peak:
        viewer.state = json.loads(viewer.lines.get(timeout=PATIENCE_SECONDS))
        assert "error" not in viewer.state["message"], viewer.brief()
    viewer.quit()


def check_goes_by_keys_alone(bench):
    """Panels, tabs, pages, and the palette of everything."""
    viewer = bench.open(bench.traces["attention"])
    visible = []
    for _ in range(6):
        before = viewer.state["focus"]
        viewer.key("Tab")
        viewer.wait(lambda state: state["focus"] != before, "the next panel")
        visible.append(viewer.state["focus"])
    assert len(set(visible)) == 6, visible
    before = viewer.state["focus"]
    viewer.key("shift+Tab")
    viewer.wait(lambda state: state["focus"] == visible[-2] != before, "the panel before")
    viewer.go_to_panel("cuda")
    viewer.key("ctrl+Tab")
    viewer.wait(lambda state: state["focus"] == "source" and "source text" in state["places"], "the next tab")
    viewer.key("ctrl+shift+p")
    viewer.wait(lambda state: state["typing"], "the field of the palette")
    viewer.type("pass inject")
    viewer.key("Return")
    viewer.wait(lambda state: state["passName"] == "inject-pipeline", "the pass")
    viewer.go_to_panel("stages")
    left, _, right, _ = viewer.place("stages")
    viewer.key("plus")
    viewer.wait(lambda state: state["places"]["stages"][2] - state["places"]["stages"][0] > right - left, "more room")
    viewer.quit()


def check_goes_to_lines(bench):
    """By number, or by what stands there, from the palette."""
    viewer = bench.open(bench.traces["attention"])
    for typed, panel in (("88", "source"), ("ldmatrix(V_shared", "ir")):
        viewer.key("ctrl+shift+p")
        viewer.wait(lambda state: state["typing"], "the field of the palette")
        viewer.type(typed)
        viewer.key("Return")
        viewer.wait(lambda state: state["focus"] == panel and state["sourceLine"] == 88, f"{typed} in {panel}")
        viewer.key("Escape")
        viewer.wait(lambda state: not state["sourceLine"], "no selection")
    viewer.quit()


def check_links_lead_back(bench):
    """What Alt+L copies opens the pass, the slot and the panel, from the command line and in the field for a path."""
    viewer = bench.open(bench.traces["attention"], "--pass", "inject-pipeline", "--select", "K_shared[1]")
    viewer.go_to_panel("stages")
    viewer.key("alt+l")
    copied = viewer.wait(lambda state: state["copied"], "the link")["copied"]
    program, view, link = shlex.split(copied)
    assert (program, view) == ("tilescope", "view") and "#pass=inject-pipeline&buffer=K_shared[1]&tab=stages" in link, copied
    viewer.give_path("ctrl+o", bench.traces["gemm"])
    viewer.wait(lambda state: state["file"].endswith("gemm.trace"), "another trace")

    def is_there(state):
        return (state["passName"], state.get("buffer"), state["version"]) == ("inject-pipeline", "K_shared", 1) and "stages" in state["places"]

    viewer.give_path("ctrl+o", link)
    viewer.wait(is_there, "the place, from the field")
    viewer.quit()
    bench.forget()
    viewer = bench.open(link)
    viewer.wait(is_there, "the place, from the command line")
    viewer.quit()


def check_chooses_a_kernel_of_the_file(bench):
    kernel = bench.folder / "choose.py"
    text = tree.text("testdata/kernels/gemm_relu.py")
    kernel.write_text(text + text[text.index("@tilelang.jit"):].replace("def matmul(", "def second("))
    viewer = bench.open(f"{kernel}:matmul", *GEMM_SIZE, "--panel", "arguments")
    peak = viewer.state["peakBytes"]
    left, _, _, bottom = viewer.place("argument kernel")
    click_place(viewer, "argument kernel")
    viewer.settle()
    viewer.click(left + 20, bottom + 35)
    viewer.key("alt+l")
    viewer.wait(lambda state: "choose.py:second" in state["copied"] and "--set M=512" in state["copied"], "the second, with its sizes")
    viewer.wait(lambda state: not state["compiling"] and not state["message"] and state["peakBytes"] == peak, "its plan")
    viewer.quit()


def check_one_panel_stays_alone(bench):
    """While a buffer is pinned in it; its card comes forward where it is not alone."""
    viewer = bench.open(bench.traces["attention"], "--select", "K_shared")
    viewer.go_to_panel("layouts")
    viewer.key("m")
    viewer.wait(lambda state: "ir" not in state["places"], "one panel alone")
    viewer.key("a")
    viewer.wait(lambda state: state["sourceLine"], "the statement of the next access")
    viewer.settle()
    assert "layouts" in viewer.state["places"] and "buffer" not in viewer.state["places"], viewer.state["places"].keys()
    viewer.quit()


def check_copies(bench):
    viewer = bench.open(bench.traces["attention"], "--pass", "merge-shared-memory", "--select", "K_shared")
    viewer.go_to_panel("ir")
    viewer.go_to_panel("arena")
    for key in ("alt+c", "ctrl+c"):
        before = viewer.state["copied"]
        viewer.key(key)
        viewer.wait(lambda state: state["copied"] != before, key)
        if key == "alt+c":
            command = viewer.state["copied"]
    assert command.startswith("tilescope show arena "), command
    printed = subprocess.run(f"{bench.tilescope}{command.removeprefix('tilescope')}", shell=True, check=True,
                             capture_output=True, text=True).stdout
    assert viewer.state["copied"] == printed, viewer.state["copied"]
    left, top, right, bottom = viewer.place("ir text")
    viewer.click((left + right) // 2, (top + bottom) // 2)
    viewer.settle()
    viewer.key("ctrl+c")
    viewer.wait(lambda state: state["copied"] != printed and state["copied"].count("\n") >= 1, "the pinned line")
    # What is on the clipboard comes back into a field.
    copied = viewer.state["copied"].strip()
    viewer.key("slash")
    viewer.wait(lambda state: state["typing"], "a field that takes the keyboard")
    viewer.key("ctrl+v")
    viewer.wait(lambda state: state["query"].strip() and copied.startswith(state["query"].strip()[:20]), "the line")
    viewer.quit()


def check_says_what_is_stale(bench):
    """Every panel that is seen, but for the arguments, which are those of the file now."""
    kernel = bench.folder / "stale.py"
    text = tree.text("testdata/kernels/gemm_relu.py")
    kernel.write_text(text)
    viewer = bench.open(kernel, *GEMM_SIZE)
    kernel.write_text(text.replace("T.Kernel", "T.Kernal"))
    panels = {"passes", "ir", "cuda", "arena", "lifetimes"}
    viewer.wait(lambda state: {f"stale {panel}" for panel in panels} <= state["places"].keys(), "the marks")
    kernel.write_text(text)
    viewer.wait(lambda state: not any(name.startswith("stale ") for name in state["places"]), "no mark")
    viewer.quit()


def check_keeps_the_pass_over_a_compile_that_fails(bench):
    viewer = bench.open(tree.ROOT / "testdata/kernels/attention_fwd.py:attention", "--set", "num_stages=1")
    last, count = viewer.state["passName"], viewer.state["passes"]
    for value, name in (("30", "fewer passes"), ("1", "all of them")):
        left, top, right, bottom = viewer.place("argument num_stages typed")
        viewer.click((left + right) // 2, (top + bottom) // 2)
        viewer.wait(lambda state: state["typing"], "a field that takes the keyboard")
        viewer.key("ctrl+a")
        viewer.type(value)
        viewer.key("Return")
        viewer.wait(lambda state: not state["compiling"] and (state["passes"] < count) == (value == "30"), name)
    assert viewer.state["passName"] == last and viewer.state["pass"] == count - 1, viewer.brief()
    viewer.quit()


def check_compares_text(bench):
    older = bench.compile("one_stage", "attention_fwd.py:attention", ["--set", "heads=32", "--set", "length=4096"])
    viewer = bench.open(older, bench.traces["attention"], "--panel", "compare")
    for shown, other in (("IR", "CUDA"), ("CUDA", "IR")):
        left, top, right, bottom = viewer.place(f"compare {shown}")
        viewer.click((left + right) // 2, (top + bottom) // 2)
        viewer.wait(lambda state: f"compared {shown}" in state["places"] and f"compared {other}" not in state["places"], shown)
    left, top, right, bottom = viewer.place("compare IR")
    viewer.click((left + right) // 2, (top + bottom) // 2)
    viewer.go_to_panel("compare")
    viewer.key("y")
    viewer.wait(lambda state: "compared CUDA" in state["places"], "the CUDA, by a key")
    click_place(viewer, "compare IR")
    # The IR follows the passes: as it was written it is the same but for the stages.
    counts = set()
    viewer.key("Home")
    viewer.wait(lambda state: state["pass"] == 0, "the first pass")
    for index in range(viewer.state["passes"]):
        viewer.wait(lambda state: state["pass"] == index, f"pass {index}")
        viewer.settle()
        counts |= {place.split("  ")[0] for place in viewer.state["places"] if place.startswith("compared IR: ")}
        viewer.key("j")
    assert "compared IR: +0 -0 ~1" in counts and len(counts) > 2, counts
    viewer.quit()


def click_place(viewer, name):
    left, top, right, bottom = viewer.place(name)
    viewer.click((left + right) // 2, (top + bottom) // 2)


def check_makes_an_edit_from_the_peak(bench):
    """A stage less of a loop whose stages no argument sets."""
    kernel = bench.folder / "three_stages.py"
    kernel.write_text(tree.text("testdata/kernels/gemm_relu.py").replace("num_stages=num_stages)", "num_stages=3)"), encoding="utf-8")
    viewer = bench.open(f"{kernel}:matmul", *GEMM_SIZE, "--panel", "peak", "--size", "1600x1400")
    before = viewer.state["peakBytes"]
    viewer.go_to_panel("peak")
    viewer.key("m")
    viewer.wait(lambda state: any(place.startswith("edit num_stages=2 in line ") for place in state["places"]), "what one stage less would do")
    click_place(viewer, next(place for place in viewer.state["places"] if place.startswith("edit num_stages=2 in line ")))
    viewer.wait(lambda state: state["edits"] == ["elaborate"] and state["peakBytes"] < before, "one stage less")
    viewer.quit()


def check_takes_arguments_from_the_peak(bench):
    viewer = bench.open(f"{tree.ROOT}/testdata/kernels/gemm_relu.py:matmul", *GEMM_SIZE, "--set", "num_stages=3", "--panel", "peak", "--size",
                        "1600x1400")
    before = viewer.state["peakBytes"]
    viewer.go_to_panel("peak")
    viewer.key("m")
    viewer.wait(lambda state: "try num_stages=2" in state["places"], "what fewer stages would do")
    click_place(viewer, "try num_stages=2")
    viewer.wait(lambda state: state["arguments"]["num_stages"] == "2" and state["peakBytes"] < before, "fewer stages")
    # The map is of two arguments; a click takes both.
    viewer.wait(lambda state: any(place.startswith("map ") for place in state["places"]), "the map")
    viewer.settle()
    cells = [place for place in viewer.state["places"] if place.startswith("map ")]
    settings = {cell: dict(setting.split("=") for setting in cell.removeprefix("map ").split(", ")) for cell in cells}
    cell = next(cell for cell, wanted in settings.items()
                if all(viewer.state["arguments"][name] != value for name, value in wanted.items()))
    click_place(viewer, cell)
    viewer.wait(lambda state: settings[cell].items() <= state["arguments"].items(), cell)
    viewer.key("m")
    viewer.quit()


def check_undoes_arguments(bench):
    viewer = bench.open(f"{tree.ROOT}/testdata/kernels/gemm_relu.py:matmul", *GEMM_SIZE, "--set", "num_stages=3", "--panel", "arguments")
    place = viewer.place("argument num_stages typed")
    for stages in ("2", "1"):
        viewer.click((place[0] + place[2]) // 2, (place[1] + place[3]) // 2)
        viewer.wait(lambda state: state["typing"], "the field")
        viewer.key("ctrl+a")
        viewer.type(stages)
        viewer.key("Return")
        viewer.wait(lambda state: state["arguments"]["num_stages"] == stages and not state["typing"], f"{stages} stages")
        viewer.settle()
    for keys, stages in (("ctrl+z", "2"), ("ctrl+z", "3"), ("ctrl+y", "2")):
        viewer.key(keys)
        viewer.wait(lambda state: state["arguments"]["num_stages"] == stages, f"{keys}: {stages} stages")
    # An instance that the file lists takes the place of all of them.
    left, _, _, bottom = viewer.place("argument instance")
    click_place(viewer, "argument instance")
    viewer.settle()
    viewer.click(left + 20, bottom + 12)
    viewer.wait(lambda state: state["arguments"] and state["arguments"]["M"] != "512", "an instance of the file")
    viewer.key("ctrl+z")
    viewer.wait(lambda state: state["arguments"]["M"] == "512", "what was before the instance")
    viewer.quit()
