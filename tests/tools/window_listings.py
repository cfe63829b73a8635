"""The checks of check_window.py of the panels `ptx` and `sass`, with an nvcc that prints the same on every machine."""

import contextlib
import re
import subprocess

import tree
from window_driver import GEMM_SIZE

TOOLKIT = tree.ROOT / "tests/views/inputs/toolkit"


def printed_lines(bench, kernel, view):
    """Of the lines of a view that name a buffer: line of the kernel, buffer, instruction."""
    text = subprocess.run([bench.tilescope, "show", view, *kernel, "--cuda-path", TOOLKIT], capture_output=True, text=True,
                          check=True).stdout
    return re.findall(r"^\d+ +\d+ +(\d+) +(\w+) +(?:[0-9a-f]{4}  )?(.*;)$", text, re.MULTILINE)


@contextlib.contextmanager
def toolkit(bench):
    bench.display.environment["CUDA_HOME"] = str(TOOLKIT)
    try:
        yield
    finally:
        del bench.display.environment["CUDA_HOME"]


def click_row(viewer, place, row):
    left, top, right, _ = viewer.place(place)
    viewer.click((left + right) // 2, top + int(17 * (row + 0.5)))
    viewer.settle()


def check_shows_ptx_and_sass(bench):
    kernel = [f"{tree.ROOT}/testdata/kernels/attention_fwd.py:attention", "--set", "heads=2", "--target", "sm_80"]
    expected = [line for line, buffer, _ in printed_lines(bench, kernel, "sass") if buffer == "K_shared"]
    assert expected == [line for line, buffer, _ in printed_lines(bench, kernel, "ptx") if buffer == "K_shared"] != []
    with toolkit(bench):
        viewer = bench.open(*kernel, "--panel", "sass")
        viewer.wait(lambda state: "sass text" in state["places"], "the SASS")
        # Which statement an instruction is of: a click selects it in all panels.
        rows = (row for row in range(2, 12) if click_row(viewer, "sass text", row) or viewer.state.get("sourceLine") == 71)
        assert next(rows, None), viewer.brief()
        assert str(viewer.state["sourceLine"]) in expected, viewer.brief()
        viewer.go_to_panel("ptx")
        viewer.wait(lambda state: "ptx text" in state["places"] and state.get("sourceLine") == 71, "the PTX")
        viewer.quit()


def check_says_what_nvcc_refuses(bench):
    path = bench.folder / "refused.py"
    path.write_text((tree.ROOT / "testdata/kernels/gemm_relu.py").read_text().replace("def matmul", "def refused"))
    with toolkit(bench):
        viewer = bench.open(f"{path}:refused", *GEMM_SIZE, "--panel", "sass")
        viewer.wait(lambda state: "no sass text" in state["places"], "what nvcc says")
        viewer.quit()
