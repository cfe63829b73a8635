"""The checks of check_window.py that compare panel `layouts` with what `show layouts` prints."""

import re
import subprocess


def printed_counts(bench, trace, access, warp):
    """What `show layouts` says of both layouts of a warp in an access, and how many accesses there are."""
    text = subprocess.run([bench.tilescope, "show", "layouts", trace, "--buffer", "K_shared", "--access", str(access), "--warp",
                           str(warp)], capture_output=True, text=True, check=True).stdout
    counts = re.findall(r"^  (\S+: \d+ pass.*)$", text, re.MULTILINE)
    assert len(counts) == 2, text
    return {f"layout grid {count}" for count in counts}, len(re.findall(r"^  \d+ .* (?:reads|writes) ", text, re.MULTILINE))


def check_shows_layouts(bench):
    trace = bench.traces["attention"]
    viewer = bench.open(trace, "--panel", "layouts")
    left, top, right, bottom = viewer.place("layout of K_shared")
    viewer.click((left + right) // 2, (top + bottom) // 2)
    viewer.wait(lambda state: state.get("buffer", "").endswith("K_shared"), "the buffer")
    _, count = printed_counts(bench, trace, 0, 0)
    assert count >= 2, count
    for access in range(count):
        if access:
            viewer.key("a")
        for warp in range(2):
            expected, _ = printed_counts(bench, trace, access, warp)
            viewer.wait(lambda state: expected <= set(state["places"]), f"the counts {expected} of access {access}")
            viewer.key("l")
            viewer.settle()
        for _ in range(2):  # of 4 warps
            viewer.key("l")
            viewer.settle()
    # The next is the first again; a click into the grid keeps the buffer.
    viewer.key("a", "o")
    grid = next(place for name, place in viewer.state["places"].items() if name.startswith("layout grid swizzle"))
    assert max(place[2] for name, place in viewer.state["places"].items() if name.startswith("layout grid")) <= viewer.place(
        "layouts bar")[0], "the scroll bar lies beside the elements"
    viewer.click((grid[0] + grid[2]) // 2, grid[1] + 8)
    viewer.settle()
    assert viewer.state["buffer"].endswith("K_shared"), viewer.brief()
    viewer.quit()


def check_shows_the_sectors_of_a_tensor(bench):
    trace = bench.traces["attention"]
    viewer = bench.open(trace, "--panel", "layouts", "--select", "K")
    viewer.go_to_panel("layouts")
    for warp in range(4):
        text = subprocess.run([bench.tilescope, "show", "layouts", trace, "--buffer", "K", "--warp", str(warp)], capture_output=True,
                              text=True, check=True).stdout
        [count] = re.findall(r"^  (row_major: \d+ sectors of 32 bytes.*)$", text, re.MULTILINE)
        viewer.wait(lambda state: f"layout grid {count}" in state["places"] and "layout by sector" in state["places"], f"{count} of warp {warp}")
        viewer.key("l")
        viewer.settle()
    viewer.quit()
