#!/usr/bin/env python3
"""The real viewer in a real window under Xvfb, driven by key and mouse.

Usage: check_window.py TILESCOPE-VIEW [PART-OF-A-CHECK'S-NAME]
The program says with --print-state what it shows and where things lie; xdotool types and clicks. $WINDOW_PATIENCE
multiplies how long a state is waited for.
"""

import hashlib
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import tree
import window_history
import window_jobs
import window_layouts
import window_listings
import window_moves
import window_reading
from window_driver import GEMM_SIZE, MOST_IDLE_TICKS, PATIENCE_SECONDS, Bench, Display


def png_size(path):
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    return struct.unpack(">II", data[16:24])


def check_steps_through_all_passes(bench):
    for name, trace in bench.traces.items():
        viewer = bench.open(trace)
        count = viewer.state["passes"]
        viewer.key("Home")
        viewer.wait(lambda state: state["pass"] == 0, f"{name}: the first pass")
        for index in range(1, count):
            viewer.key("j")
            viewer.wait(lambda state: state["pass"] == index, f"{name}: pass {index}")
        viewer.key("p")
        viewer.wait(lambda state: state["pass"] < count - 1, f"{name}: an earlier changed pass")
        viewer.key("End")
        viewer.wait(lambda state: state["pass"] == count - 1, f"{name}: the last pass")
        viewer.quit()


def check_selects_and_goes_back(bench):
    viewer = bench.open(bench.traces["attention"])
    viewer.key("period")
    first = viewer.wait(lambda state: "buffer" in state, "a selected buffer")["buffer"]
    viewer.key("period")
    viewer.wait(lambda state: state.get("buffer", first) != first, "the next buffer")
    viewer.key("bracketleft")
    viewer.wait(lambda state: state.get("buffer") == first, "the buffer before")
    viewer.key("Escape")
    viewer.wait(lambda state: "buffer" not in state, "no selection")
    viewer.quit()


def check_searches(bench):
    viewer = bench.open(bench.traces["gemm"])
    viewer.key("slash")
    viewer.wait(lambda state: state["typing"], "a field that takes the keyboard")
    viewer.type("ldmatrix")
    viewer.wait(lambda state: state["query"] == "ldmatrix", "the query")
    viewer.quit()


def check_argument_moves_the_plan(bench):
    viewer = bench.open(tree.ROOT / "testdata/kernels/attention_fwd.py:attention", "--set", "num_stages=1")
    peak = viewer.state["peakBytes"]
    left, top, right, bottom = viewer.place("argument num_stages")
    middle = (top + bottom) // 2
    viewer.point(left + (right - left) // 8, middle)
    bench.display.xdotool("mousedown", 1)
    viewer.wait(lambda state: state["mouse"][2], "the pressed button")
    viewer.point(left + (right - left) // 3, middle)
    viewer.wait(lambda state: state["arguments"]["num_stages"] != "1" and state["peakBytes"] != peak, "a new plan")
    bench.display.xdotool("mouseup", 1)
    viewer.quit()


def check_follows_a_saved_kernel(bench):
    kernel = bench.folder / "kernel.py"
    text = tree.text("testdata/kernels/gemm_relu.py")
    kernel.write_text(text)
    viewer = bench.open(kernel, "--set", "M=512", "--set", "N=512", "--set", "K=512")
    peak = viewer.state["peakBytes"]
    kernel.write_text(text.replace("block_K: int = 32", "block_K: int = 64"))
    viewer.wait(lambda state: state["peakBytes"] != peak, "the plan of the changed file")
    kernel.write_text(text.replace("T.Kernel", "T.Kernal"))
    viewer.wait(lambda state: "error" in state["message"], "the error of the broken file")
    kernel.write_text(text)
    viewer.wait(lambda state: state["peakBytes"] == peak and not state["message"], "the first plan again")
    viewer.quit()


# What is wrong with it, and how the GEMM becomes so.
BROKEN = {
    "SyntaxError": ("def matmul(", "def matmul(("),
    "front end": ("T.copy(A[", "T.cope(A["),
    "pass": ("num_stages: int = 3", "num_stages: int = 30"),
}


def check_opens_kernels_that_do_not_compile(bench):
    text = tree.text("testdata/kernels/gemm_relu.py")
    kernel = bench.folder / "broken.py"
    for name, (good, bad) in BROKEN.items():
        assert good in text, name
        kernel.write_text(text.replace(good, bad))
        viewer = bench.open(kernel, *GEMM_SIZE)
        viewer.wait(lambda state: "error" in state["message"] and "findings" in state["places"], f"{name}: findings")
        count = viewer.state["passes"]
        if name != "pass":
            assert count == 1 and "source" in viewer.state["places"], f"{name}: {viewer.brief()}"
            assert viewer.state["sourceLine"] > 0, f"{name}: {viewer.brief()}"
        kernel.write_text(text)
        viewer.wait(lambda state: state["passes"] > count and not state["message"] and "ir" in state["places"],
                    f"{name}: the corrected kernel")
        assert viewer.state["pass"] == viewer.state["passes"] - 1 or name == "pass", f"{name}: {viewer.brief()}"
        viewer.quit()


def check_opens_the_trace_of_a_failed_compile(bench):
    text = tree.text("testdata/kernels/gemm_relu.py")
    kernel, trace = bench.folder / "failed.py", bench.folder / "failed.trace"
    compile_it = [bench.tilescope, "compile", kernel, *GEMM_SIZE, "-o", "/dev/null", "--trace", trace]
    kernel.write_text(text.replace(*BROKEN["front end"]))
    assert subprocess.run(compile_it, capture_output=True).returncode == 2
    viewer = bench.open(trace)
    viewer.wait(lambda state: "has no 'cope'" in state["message"] and {"findings", "source"} <= state["places"].keys(),
                "source and findings")
    kernel.write_text(text)
    subprocess.run(compile_it, check=True)
    viewer.wait(lambda state: state["passes"] > 1 and not state["message"] and "ir" in state["places"], "the passes")
    viewer.quit()


def check_follows_a_growing_trace(bench):
    whole = bench.traces["gemm"].read_bytes()
    ends = [at + 1 for at, byte in enumerate(whole) if byte == ord("\n")]
    trace = bench.folder / "growing.trace"
    trace.write_bytes(whole[:ends[len(ends) // 3]])
    viewer = bench.open(trace)
    count = viewer.state["passes"]
    with trace.open("ab") as out:
        out.write(whole[ends[len(ends) // 3]:])
    viewer.wait(lambda state: state["passes"] > count and not state["message"], "the rest of the trace")
    viewer.quit()


def check_compares(bench):
    viewer = bench.open(bench.traces["gemm"], bench.traces["attention"])
    assert viewer.state["file"].endswith("attention.trace"), viewer.brief()
    assert viewer.state["other"].endswith("gemm.trace"), viewer.brief()
    viewer.quit()
    viewer = bench.open(bench.traces["attention"])
    viewer.give_path("ctrl+shift+o", bench.traces["gemm"])
    viewer.wait(lambda state: state["other"].endswith("gemm.trace"), "the second trace")
    viewer.give_path("ctrl+o", bench.traces["siblings"])
    viewer.wait(lambda state: state["file"].endswith("siblings.trace") and not state["other"], "it alone")
    viewer.quit()


def check_compares_with_a_revision(bench):
    folder = bench.folder / "repository"
    folder.mkdir()
    kernel = folder / "kernel.py"
    git = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com"]
    text = tree.text("testdata/kernels/gemm_relu.py").replace("num_stages: int = 3", "num_stages: int = STAGES")
    text = text.replace("import tilelang\n", "import tilelang\nfrom stages import STAGES\n", 1)
    stages = folder / "stages.py"
    stages.write_text("STAGES = 3\n")
    kernel.write_text(text, encoding="utf-8")
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "three stages"]):
        subprocess.run([*git, *command], check=True)
    stages.write_text("STAGES = 2\n")
    viewer = bench.open(f"{os.path.relpath(kernel)}:matmul", *GEMM_SIZE)
    viewer.give_path("ctrl+shift+o", "HEAD")
    viewer.wait(lambda state: state["other"] == "HEAD", "the kernel, and what it imports, as they were committed")
    viewer.go_to_panel("compare")
    viewer.key("ctrl+c")
    viewer.wait(lambda state: "49,152" in state["copied"] and "32,768" in state["copied"], "both peaks")
    viewer.give_path("ctrl+shift+o", "HEAD~7")
    viewer.wait(lambda state: "'HEAD~7': No such file or directory, and it is no revision" in state["message"], "what is wrong with it")
    assert viewer.state["other"] == "HEAD", viewer.brief()
    viewer.quit()


def check_edits_an_offset(bench):
    viewer = bench.open(tree.ROOT / "testdata/kernels/attention_fwd.py:attention", "--set", "num_stages=1", "--select",
                        "O_shared", "--panel", "buffer")
    peak = viewer.state["peakBytes"]
    left, top, right, bottom = viewer.place("buffer offset")
    viewer.click((left + right) // 2, (top + bottom) // 2)
    time.sleep(0.3)  # the field takes the keyboard in the frame after, with all of its text selected
    viewer.type(str(peak[0]))
    viewer.key("Return")
    viewer.wait(lambda state: state["edits"] == ["merge-shared-memory"] and state["peakBytes"] > peak, "a higher plan")
    moved = viewer.state["peakBytes"]
    assert moved[0] < 2 * peak[0], moved
    viewer.point(5, 5)
    viewer.key("x")
    viewer.wait(lambda state: state["stoppedBefore"], "a stop")
    viewer.key("x")
    viewer.wait(lambda state: not state["stoppedBefore"] and state["peakBytes"] == moved, "the rest with the edit")
    viewer.quit()


def check_replays_saved_edits(bench):
    """An offset that was typed in the window, saved as a patch, gives the command line the same CUDA."""
    kernel = bench.folder / "edited.py"
    kernel.write_text(tree.text("testdata/kernels/attention_fwd.py"))
    arguments = [f"{kernel}:attention", "--set", "num_stages=1"]
    viewer = bench.open(*arguments, "--select", "O_shared", "--panel", "buffer")
    untouched = viewer.state["cuda"]
    left, top, right, bottom = viewer.place("buffer offset")
    viewer.click((left + right) // 2, (top + bottom) // 2)
    viewer.wait(lambda state: state["typing"], "a field that takes the keyboard")
    viewer.settle()
    viewer.type(str(viewer.state["peakBytes"][0]))
    viewer.key("Return")
    viewer.wait(lambda state: state["edits"] and state["cuda"] != untouched, "other CUDA")
    viewer.point(5, 5)
    viewer.key("ctrl+shift+p")
    viewer.wait(lambda state: state["typing"], "the field of the palette")
    viewer.type("save the edits")
    viewer.key("Return")
    patch = bench.folder / "edited.patch"
    viewer.wait(lambda state: state["status"].startswith(f"wrote {patch}"), "the patch")
    cuda = bench.folder / "edited.cu"
    subprocess.run([bench.tilescope, "compile", *arguments, "--patch", patch, "-o", cuda], check=True)
    assert hashlib.md5(cuda.read_bytes()).hexdigest() == viewer.state["cuda"], "the patch gives other CUDA"
    viewer.quit()


def check_finds_in_the_text_that_is_edited(bench):
    viewer = bench.open(tree.ROOT / "testdata/kernels/gemm_relu.py", *GEMM_SIZE)
    viewer.key("e")
    viewer.wait(lambda state: state["editing"].startswith(state["passName"]), "the text after the last pass")
    viewer.key("ctrl+f")
    viewer.wait(lambda state: state["finding"], "the query")
    viewer.type("alloc_shared")
    viewer.key("Return")
    first = viewer.wait(lambda state: state["foundLine"] > 0, "the first buffer")["foundLine"]
    for condition, what in ((lambda state: state["foundLine"] > first, "the second buffer"),
                            (lambda state: state["foundLine"] == first, "the first buffer again")):
        viewer.wait(lambda state: not state["finding"], "the text")
        viewer.key("ctrl+f")
        viewer.wait(lambda state: state["finding"], "the query")
        viewer.key("Return")
        viewer.wait(condition, what)
    viewer.wait(lambda state: not state["finding"], "the text")
    viewer.key("ctrl+f")
    viewer.wait(lambda state: state["finding"], "the query")
    viewer.type("nowhere")
    viewer.key("Return")
    viewer.wait(lambda state: state["notFound"] and not state["textChanged"], "that it is not found")
    viewer.key("Escape")
    viewer.wait(lambda state: not state["editing"], "the panels")
    viewer.quit()


def check_asks_before_it_discards_what_was_typed(bench):
    viewer = bench.open(tree.ROOT / "testdata/kernels/gemm_relu.py", *GEMM_SIZE)
    viewer.key("e")
    viewer.wait(lambda state: state["editing"].startswith(state["passName"]), "the text after the last pass")
    viewer.key("Escape")
    viewer.wait(lambda state: not state["editing"], "the panels: nothing was typed")
    viewer.key("e")
    viewer.wait(lambda state: state["editing"], "the text again")
    viewer.key("ctrl+f")
    viewer.wait(lambda state: state["typing"], "a field that takes the keyboard")
    viewer.type("alloc_shared")
    viewer.key("Return")
    viewer.wait(lambda state: state["foundLine"] > 0, "a selection in the text")
    viewer.type("X")
    viewer.wait(lambda state: state["textChanged"], "what was typed")
    for answer, open_after in [("Escape", True), ("Return", False)]:
        viewer.key("Escape")
        viewer.wait(lambda state: state["asksToDiscard"], "the question")
        viewer.key(answer)
        viewer.wait(lambda state: not state["asksToDiscard"] and bool(state["editing"]) == open_after, "the answer")
    viewer.quit()


def check_sees_a_key_that_is_pressed_again_between_two_frames(bench):
    viewer = bench.open(tree.ROOT / "testdata/kernels/gemm_relu.py", *GEMM_SIZE)
    viewer.key("e")
    viewer.wait(lambda state: state["editing"], "the text after the last pass")
    viewer.key("ctrl+f")
    viewer.wait(lambda state: state["typing"], "a field that takes the keyboard")
    viewer.process.send_signal(signal.SIGSTOP)
    viewer.type("alloc_sharedXX")
    viewer.key("BackSpace", "BackSpace", "Return")
    viewer.process.send_signal(signal.SIGCONT)
    viewer.wait(lambda state: state["foundLine"] > 0, "the first buffer")
    viewer.key("Escape")
    viewer.wait(lambda state: not state["editing"], "the panels")
    viewer.quit()


def check_keeps_and_compares(bench):
    viewer = bench.open(tree.ROOT / "testdata/kernels/attention_fwd.py:attention", "--set", "num_stages=1")
    assert not viewer.state["other"], viewer.brief()
    viewer.key("c")
    viewer.wait(lambda state: state["other"].endswith("attention_fwd.py"), "what was kept")
    viewer.place("compare")
    viewer.quit()


def check_resizes(bench):
    viewer = bench.open(bench.traces["attention"], "--size", "1600x1000")
    for width, height in [(800, 600), (3840, 2160), (1600, 1000)]:
        viewer.resize(width, height)
        picture = bench.traces["attention"].with_suffix(".png")
        picture.unlink(missing_ok=True)
        viewer.key("ctrl+s")
        size = png_size(await_file(picture.parent, picture.name))
        assert size == (width, height), size
    viewer.quit()


def await_file(folder, pattern):
    """Files appear whole."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not list(folder.glob(pattern)):
        assert time.monotonic() < deadline, f"no {pattern}"
        time.sleep(0.05)
    return next(folder.glob(pattern))


def save_pictures(bench, viewer, trace):
    viewer.key("ctrl+shift+s")
    for view in ("arena", "lifetimes", "stages", "timeline"):
        printed = subprocess.run([bench.tilescope, "show", view, trace, "--format", "svg"], check=True,
                                 capture_output=True).stdout
        saved = await_file(bench.folder, f"{trace.stem}.{viewer.state['passName']}*.{view}.svg")
        assert saved.read_bytes() == printed, saved


def check_saves_pictures(bench):
    trace = bench.traces["attention"]
    viewer = bench.open(trace)
    save_pictures(bench, viewer, trace)
    viewer.key("ctrl+shift+s")
    await_file(bench.folder, f"attention.{viewer.state['passName']}*.timeline-2.svg")
    left, top, right, bottom = viewer.place("arena")
    viewer.point((left + right) // 2, (top + bottom) // 2)
    viewer.key("alt+s")
    size = png_size(await_file(bench.folder, "attention.arena.png"))
    assert size == (right - left, bottom - top), size
    viewer.quit()


def clipboard_picture(bench):
    return subprocess.run(["xclip", "-selection", "clipboard", "-t", "image/png", "-o"], env=bench.display.environment,
                          check=True, capture_output=True).stdout


def check_copies_a_picture(bench):
    trace = bench.folder / "copied.trace"
    shutil.copy(bench.traces["attention"], trace)
    viewer = bench.open(trace)
    for panel in ("arena", "passes"):
        viewer.go_to_panel(panel)
        left, top, right, bottom = viewer.place(panel)
        viewer.key("alt+p")
        size = f"{right - left} x {bottom - top}"
        viewer.wait(lambda state: state["status"] == f"copied a picture, {size} pixels", f"a picture of {panel}")
        viewer.key("alt+s")
        saved = await_file(bench.folder, f"copied.{panel}.png")
        assert png_size(saved) == (right - left, bottom - top), png_size(saved)
        assert clipboard_picture(bench) == saved.read_bytes(), panel
    copied = clipboard_picture(bench)
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(viewer.process.pid)], capture_output=True, text=True)
    assert not children.stdout.strip(), f"left behind: {children.stdout}"
    viewer.quit()
    assert clipboard_picture(bench) == copied, "it is gone with the window"


def check_says_how_to_copy_a_picture(bench):
    nothing = bench.folder / "no_programs"
    nothing.mkdir()
    viewer = bench.open(bench.traces["attention"], path=nothing)
    viewer.go_to_panel("arena")
    viewer.key("alt+p")
    said = viewer.wait(lambda state: "xclip" in state["status"], "what is missing")["status"]
    assert "package xclip" in said and "Alt+S" in said, said
    viewer.quit()


def check_shows_roles(bench):
    trace = bench.folder / "roles.trace"
    shutil.copy(tree.ROOT / "testdata/traces/roles_attention_sm_90a.trace", trace)
    viewer = bench.open(trace, "--panel", "stages")
    left, top, right, bottom = viewer.place("stages")
    # Down over cells of one iteration, until one is a slot.
    for y in range(top, bottom, 10):
        viewer.click(left + (right - left) * 6 // 10, y)
        viewer.settle()
        if viewer.state.get("buffer"):
            break
    assert viewer.state["buffer"].endswith("K_shared") and viewer.state["sourceLine"] == 66, viewer.brief()
    save_pictures(bench, viewer, trace)
    viewer.quit()


def check_says_what_it_wrote(bench):
    trace = bench.folder / "said.trace"
    shutil.copy(bench.traces["gemm"], trace)
    viewer = bench.open(trace)
    for name in ("said.png", "said-2.png"):
        viewer.key("ctrl+s")
        viewer.wait(lambda state: state["status"] == f"wrote {bench.folder / name}", name)
        assert (bench.folder / name).exists()
    viewer.key("k")
    viewer.wait(lambda state: not state["status"], "no word of what was written before")
    viewer.key("ctrl+shift+p")
    viewer.wait(lambda state: state["typing"], "the field of the palette")
    viewer.key("ctrl+s")
    viewer.wait(lambda state: state["status"].endswith("said-3.png"), "a picture of the palette")
    viewer.quit()  # over the palette


def check_sleeps(bench):
    viewer = bench.open(bench.traces["attention"])
    used = []
    while len(used) < 5 and (not used or used[-1] > MOST_IDLE_TICKS):  # at first, opening is still being drawn
        before = viewer.ticks()
        time.sleep(2)
        used.append(viewer.ticks() - before)
    assert used[-1] <= MOST_IDLE_TICKS, f"{used} ticks in two idle seconds each"
    viewer.quit()


def check_shows_what_is_wrong_with_a_trace(bench):
    whole = bench.traces["gemm"].read_text()
    torn = bench.folder / "torn.trace"
    torn.write_text(whole[:whole.index("\n", len(whole) * 2 // 3) - 1])  # inside of a record
    viewer = bench.open(torn)
    assert "lost" in viewer.state["message"], viewer.brief()
    viewer.quit()
    corrupt = bench.folder / "corrupt.trace"
    lines = whole.splitlines(keepends=True)
    lines[len(lines) // 2] = "no record\n"
    corrupt.write_text("".join(lines))
    later = bench.folder / "later.trace"
    later.write_text(re.sub('"minor":[0-9]+', '"minor":99', whole, count=1))
    newer = bench.folder / "newer.trace"
    newer.write_text(whole.replace('"major":1', '"major":9', 1))
    viewer = bench.open(corrupt)
    assert "corrupt" in viewer.state["message"] or "no JSON" in viewer.state["message"], viewer.brief()
    viewer.quit()
    viewer = bench.open(later)
    assert "1.99" in viewer.state["message"], viewer.brief()
    # The window stays with what is open, and says why the other trace is refused.
    viewer.give_path("ctrl+o", newer)
    viewer.wait(lambda state: "9." in state["message"] and state["passes"] > 1, "the reason of the refusal")
    viewer.quit()
    result = subprocess.run([bench.program, newer], env=bench.display.environment, capture_output=True, text=True)
    assert result.returncode == 2 and "9." in result.stderr, result.stderr


MODULES = (window_history, window_jobs, window_layouts, window_listings, window_moves, window_reading)
CHECKS = [value for names in (globals(), *map(vars, MODULES)) for name, value in names.items() if name.startswith("check_")]


def main():
    missing = [tool for tool in ("Xvfb", "xdotool", "xclip") if not shutil.which(tool)]
    if missing:
        print(f"window: skipped, {' and '.join(missing)} missing (./dev setup installs them)")
        return 77
    failures = 0
    with tempfile.TemporaryDirectory() as folder, Display() as display:
        bench = Bench(display, sys.argv[1], pathlib.Path(folder))
        checks = [check for check in CHECKS if all(part in check.__name__ for part in sys.argv[2:])]
        for check in checks:
            bench.forget()
            try:
                check(bench)
                print(f"{check.__name__}: ok", flush=True)
            except (AssertionError, subprocess.CalledProcessError) as error:
                failures += 1
                print(f"{check.__name__}: {error}", flush=True)
                bench.end_all()
    print(f"window: {len(checks) - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
