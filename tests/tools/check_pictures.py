#!/usr/bin/env python3
"""The window and each panel look as in testdata/pictures, but for a few pixels, and no label is cut in them; neighbours in
the arena of flagship kernels are told apart by all eyes, at all sizes (picture_colours.py).

Usage: check_pictures.py [--update] [--tilescope-view PROGRAM] [PICTURE...]
`--update` writes the pictures again; look at each one that changed. Passes take different times from
run to run, so the traces that are drawn here say 1 ms for every pass. A picture that differs is left
in build/pictures, beside one that marks where.
"""

import argparse
import array
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import picture_colours
import png
import trace_file
import tree
import window_history

FOLDER = tree.ROOT / "testdata/pictures"
DIFFERENT = tree.ROOT / "build/pictures"
# A channel that differs by more makes a different pixel. A stored picture has few colours, each off
# by less, and another Mesa may round an edge differently.
COLOR_TOLERANCE = 20
# Of the picture, and of any square of it: what one label covers is much in its square.
SHARE_TOLERANCE = 0.001
SQUARE = 32
SQUARE_TOLERANCE = 0.06
PASS_MICROSECONDS = 1000

ATTENTION = ["attention_fwd.py:attention", "heads=32", "length=4096", "block_M=128", "block_N=128"]
TRACES = {
    "attention": [*ATTENTION, "num_stages=2"],
    "attention_one_stage": [*ATTENTION, "num_stages=1"],
    "siblings": ["sibling_pipelines.py:matmul_halves", "first=2", "second=4"],
    "gemm": ["gemm_relu.py:matmul", "M=1024", "N=1024", "K=1024", "num_stages=3"],
    "attention_bwd": ["attention_bwd.py:gradients", "heads=2", "length=256", "dim=64"],
    "buffers": ["chunk_inverse.py:chunk_inverse", "batch=1", "heads=2", "length=128"],
}
# Of which block 0 is run on the CPU, step by step.
EXECUTED = {"gemm_run": ["gemm_relu.py:matmul", "M=128", "N=128", "K=256", "num_stages=3"]}
# Those that were recorded, by their names in testdata/traces.
RECORDED = {"attention_roles": "roles_attention_sm_90a"}
# A live kernel with what other arguments would do.
PEAK_ACTIONS = ["repository/gemm.py:matmul", "--set", "M=512", "--set", "N=512", "--set", "K=512", "--set", "num_stages=3", "--panel", "peak",
                "--size", "760x620"]
# picture: what `tilescope view` is given; names of traces stand for their files.
WINDOWS = {
    "attention": ["attention", "--select", "K_shared"],
    "attention_light": ["attention", "--select", "K_shared", "--theme", "light"],
    "attention_small": ["attention", "--size", "800x600"],
    "siblings": ["siblings"],
    "buffers": ["buffers"],
    "moment": ["attention", "--panel", "stages", "--moment", "25", "--size", "900x300"],
    "moment_arena": ["attention", "--panel", "arena", "--moment", "25", "--size", "900x600"],
    "peak_actions": PEAK_ACTIONS,
    "peak_actions_light": [*PEAK_ACTIONS, "--theme", "light"],
    "roles": ["attention_roles", "--panel", "stages", "--select", "K_shared[1]", "--size", "900x520"],
}
# Of panels that are best seen with something else than flash attention after its last pass.
PANELS = {
    "buffer": ["attention", "--select", "K_shared"],
    "compare": ["attention_one_stage", "attention"],
    "cuda": ["attention", "--select", "K_shared"],
    "layouts": ["attention", "--select", "K_shared"],
    "ir": ["attention", "--pass", "inject-pipeline"],
    "remarks": ["attention", "--select", "K_shared"],
    "search": ["attention", "--query", "K_shared"],
    "history": ["repository/gemm.py:matmul", "--set", "M=512", "--set", "N=512", "--set", "K=512"],
    "ptx": ["attention", "--select", "K_shared"],
    "sass": ["attention", "--select", "K_shared"],
    "source": ["attention", "--select", "K_shared"],
    "stages": ["siblings"],
    "steps": ["gemm_run", "--step", "60"],
}


def pictures():
    panels = re.findall(r"^PANEL\((\w+),", tree.text("viewer/panels/panels.def"), re.MULTILINE)
    of_panels = {f"panel_{panel}": [*PANELS.get(panel, ["attention"]), "--panel", panel] for panel in panels}
    return WINDOWS | of_panels


def make_traces(program, folder):
    for name, (kernel, *arguments) in (TRACES | EXECUTED).items():
        path = folder / f"{name}.trace"
        settings = [word for argument in arguments for word in ("--set", argument)]
        verb = ["exec", "--steps", "0"] if name in EXECUTED else ["compile", "-o", os.devnull]
        subprocess.run([program.parent / "tilescope", *verb, f"testdata/kernels/{kernel}", *settings, "--target", "sm_80",
                        "--trace", path], cwd=tree.ROOT, check=True, stdout=subprocess.DEVNULL)
        path.write_text(trace_file.with_times(path.read_text(), PASS_MICROSECONDS))
    window_history.make_repository(folder / "repository")
    for name, recorded in RECORDED.items():
        shutil.copy(tree.ROOT / f"testdata/traces/{recorded}.trace", folder / f"{name}.trace")


def draw(program, folder, words, path):
    """The bytes of the picture and the state that the program printed, or None and what it said instead."""
    files = [f"{word}.trace" if word in TRACES | EXECUTED | RECORDED else word for word in words]
    result = subprocess.run([program, *files, "--screenshot", path, "--print-state"], cwd=folder, capture_output=True,
                            text=True, env={**os.environ, "CUDA_HOME": str(tree.ROOT / "tests/views/inputs/toolkit")})
    if result.returncode != 0:
        return None, result.stderr.strip()
    return path.read_bytes(), json.loads(result.stdout)


def difference(picture, golden):
    """What differs too much, or None; and the numbers of all pixels that differ."""
    sizes = [f"{one.width}x{one.height}" for one in (picture, golden)]
    if sizes[0] != sizes[1]:
        return f"{sizes[0]} pixels instead of {sizes[1]}", []
    pairs = {pair for pair in set(zip(picture.pixels, golden.pixels)) if png.distance(*pair) > COLOR_TOLERANCE}
    places = [at for at, pair in enumerate(zip(picture.pixels, golden.pixels)) if pair in pairs]
    squares = {}
    for at in places:
        square = at % picture.width // SQUARE, at // picture.width // SQUARE
        squares[square] = squares.get(square, 0) + 1
    share = len(places) / len(picture.pixels)
    worst = max(squares, key=squares.get, default=None)
    if share > SHARE_TOLERANCE:
        return f"{share:.2%} of the pixels differ, most at {worst[0] * SQUARE}, {worst[1] * SQUARE}", places
    if worst and squares[worst] > SQUARE_TOLERANCE * SQUARE * SQUARE:
        return f"{squares[worst]} pixels differ at {worst[0] * SQUARE}, {worst[1] * SQUARE}", places
    return None, places


def keep(name, picture, places):
    DIFFERENT.mkdir(parents=True, exist_ok=True)
    (DIFFERENT / f"{name}.png").write_bytes(png.write(picture))
    marked = array.array("I", [(color >> 2) & 0x3F3F3F for color in picture.pixels])
    for at in places:
        marked[at] = 0xFF0000
    (DIFFERENT / f"{name}_different.png").write_bytes(
        png.write(png.Picture(picture.width, picture.height, marked)))


def check(name, data):
    golden = FOLDER / f"{name}.png"
    if not golden.exists():
        return f"testdata/pictures/{name}.png is missing (tests/tools/check_pictures.py --update {name})"
    picture = png.read(data)
    finding, places = difference(picture, png.read(golden.read_bytes()))
    if not finding:
        return None
    keep(name, picture, places)
    return (f"{name}: {finding}; see build/pictures/{name}.png and {name}_different.png, and if it is meant: "
            f"tests/tools/check_pictures.py --update {name}")


def update(name, data):
    """Only what really differs, so that a change stays small."""
    if check(name, data):
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / f"{name}.png").write_bytes(png.write(png.read(data)))
        print(f"wrote testdata/pictures/{name}.png")


def check_colours(program, folder):
    findings = []
    for trace, theme, (size, scale) in itertools.product(("attention", "gemm", "attention_bwd"), ("dark", "light"), picture_colours.SETTINGS):
        words = [trace, "--panel", "arena", "--theme", theme, "--size", size, "--scale", str(scale)]
        data, state = draw(program, folder, words, folder / "new.png")
        findings += picture_colours.check(" ".join(words), png.read(data), state["places"], scale)
    for theme in ("dark", "light"):
        data, state = draw(program, folder, [*PEAK_ACTIONS, "--theme", theme], folder / "new.png")
        findings += picture_colours.check_map(f"map of peak, {theme}", png.read(data), state["places"])
    return findings


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--tilescope-view", default=str(tree.ROOT / "build/release/bin/tilescope-view"))
    parser.add_argument("pictures", nargs="*")
    options = parser.parse_args()
    program = pathlib.Path(options.tilescope_view).resolve()
    wanted = pictures()
    findings = []
    if not options.pictures:
        findings = [f"{path.relative_to(tree.ROOT)} is of nothing" for path in FOLDER.glob("*.png")
                    if path.stem not in wanted]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_traces(program, folder)
        for picture in options.pictures or wanted:
            data, said = draw(program, folder, wanted[picture], folder / "new.png")
            if data is not None:
                findings += [f"{picture}: '{label['text']}' is cut to '{label['shown']}'" for label in said["cutLabels"]]
            if data is None and "without a display" in said:
                print(f"pictures: skipped, {said}")
                sys.exit(77)
            if data is None:
                findings.append(f"{picture}: {said}")
            elif options.update:
                update(picture, data)
            elif finding := check(picture, data):
                findings.append(finding)
        if not options.pictures:
            findings += check_colours(program, folder)
    tree.finish("pictures", findings)


if __name__ == "__main__":
    main()
