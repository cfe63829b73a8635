#!/usr/bin/env python3
"""Plants miscompiles by edits of the IR after a pass: `tilescope exec` must name that pass, and point at the statement.

Usage: check_plants.py TILESCOPE [PART OF A NAME...]

The report must hold what the plant says it does, and show an edited statement: its line in the kernel, or its text
among what the pass changed, near the statement that wrote the wrong value or where the value comes from. An edit that
finds nothing to edit is a finding too.
"""

import concurrent.futures
import difflib
import functools
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import fuzz_pipeline
import plants
import text_edits
import tree


NOT_SHOWN = "no edited statement is shown"
PATCH_PASS = "patch"  # what a compile calls the pass that carries out an edit


def arguments_of(kernel):
    file, *rest = [*shlex.split(kernel.file), *shlex.split(kernel.compiled)]
    return [str(tree.ROOT / "testdata/kernels" / file), *rest]


def passes_until(place):
    name, _, number = place.partition("#")
    pipeline = fuzz_pipeline.default_pipeline()
    runs = [at for at, other in enumerate(pipeline) if other == name]
    return ",".join(pipeline[:runs[int(number or 1) - 1] + 1])


@functools.cache
def lines_after(tilescope, arguments, place):
    passes = passes_until(place)
    command = [tilescope, "opt", "--tagged", "--passes", passes]
    for option, value in zip(["", *arguments], arguments):
        # An option of a pass that comes later is refused.
        is_later = "--pass-option" in (option, value) and arguments[-1].split(".")[0] not in passes
        command += [] if is_later else [value]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def patch_of(place, before, after):
    name = f"after {place}"
    return "\n".join(difflib.unified_diff(before, after, name, name, lineterm="")) + "\n"


def edited_lines(patch):
    return [line[1:] for line in patch.splitlines()[2:] if line[:1] in "+-"]


def is_shown(stage, edited):
    """Whether the report names the line of an edited statement, shows its text, or names the edited buffer."""
    places = [found.get(key) for found in stage["findings"] + stage["differences"] for key in ("place", "other")]
    origins = stage.get("origins", [])
    places += [origin.get("place") for origin in origins]
    named = {place["line"] for place in places if place}
    texts = {line[1:].strip() for line in stage["change"]} | {origin["text"] for origin in origins}
    said = " ".join(found["text"] for found in stage["findings"])
    for line in edited:
        span = re.search(r" span=(\d+):\d+-(\d+):", line)
        buffer = re.match(r" *(\w+) = T\.alloc_", line)
        if text_edits.code_of(line).strip() in texts or (buffer and f"'{buffer.group(1)}'" in said):
            return True
        if span and named & set(range(int(span.group(1)), int(span.group(2)) + 1)):
            return True
    return False


def faults_of(plant, stage, edited):
    """What the report of the stage does not say."""
    said = {found["kind"] for found in stage["findings"]} | ({"value"} if stage["differences"] else set())
    if plant.says not in said:
        yield f"says {', '.join(sorted(said))}, not {plant.says}"
    if not stage["patched"]:
        yield "the stage is not the patched one"
    if not is_shown(stage, edited):
        yield NOT_SHOWN


def exec_command(tilescope, kernel, patch):
    return [tilescope, "exec", *arguments_of(kernel), *shlex.split(kernel.run), "--every-pass", "--patch", patch,
            "--format", "json"]


def texts_of(stage):
    for found in stage["findings"]:
        yield found["text"]
    for found in stage["differences"]:
        yield f"{found['tensor']}{found['index']} is {found['got']}, not {found['expected']}"


def check_plant(tilescope, folder, number, plant):
    """(what is wrong with the report, what it says)"""
    arguments = arguments_of(plant.kernel)
    before = lines_after(tilescope, tuple(arguments), plant.place)
    try:
        patch = patch_of(plant.place, before, plant.edit(before))
    except text_edits.NoPlace as error:
        return [str(error)], ""
    path = pathlib.Path(folder) / f"{number}.patch"
    path.write_text(patch)
    done = subprocess.run(exec_command(tilescope, plant.kernel, path), capture_output=True, text=True)
    if done.returncode != 1:
        return [f"exit code {done.returncode}: {done.stderr[:1000]}"], ""
    report = json.loads(done.stdout)
    stage = report["stages"][-1]
    if report["firstWrong"] != plant.place:
        return [f"named is {report['firstWrong']}\n{done.stdout[-1500:]}"], ""
    faults = [f"{fault}\n{json.dumps(stage, indent=1)}" for fault in faults_of(plant, stage, edited_lines(patch))]
    return faults, next(texts_of(stage), "")


def main():
    tilescope = str(pathlib.Path(sys.argv[1]).resolve())
    chosen = [plant for plant in plants.PLANTS
              if not sys.argv[2:] or any(part in plant.name for part in sys.argv[2:])]
    findings = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(check_plant, tilescope, folder, number, plant) for number, plant in enumerate(chosen)]
        for plant, job in zip(chosen, jobs):
            faults, said = job.result()
            print(f"{plant.place:22} {plant.name:45} {said}", flush=True)
            findings += [f"{plant.name}, after {plant.place}: {fault}" for fault in faults]
    tree.finish("plants", findings)


if __name__ == "__main__":
    main()
