#!/usr/bin/env python3
"""Plants faults of roles, mbarriers, TMA and wgmma by edits of the IR: `tilescope exec` or `check` must find each, at its line.

Usage: check_hopper_plants.py TILESCOPE [PART OF A NAME...]

The table is hopper_plants.py; what `exec` must report is as in check_plants.py. The kernels as they are must be right and have the
verdict that the table gives them, with as many trips as may matter to a ring of slots, and one tile of a block, two and three.
"""

import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

import check_plants
import hopper_plants
import tree


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def verdict_of(tilescope, kernel, *options):
    """What `check` answers, and its findings with a line: "error" where the compile comes to no verdict."""
    code, output, said = run(tilescope, "check", *check_plants.arguments_of(kernel), *options, "--format", "json")
    report = json.loads(output) if output else {}
    findings = report.get("findings", [])
    verdict = report.get("hazardFree")
    is_stopped = code == 2 or (report.get("verified") != "yes" and verdict != "no")
    return "error" if is_stopped else verdict, findings, said


def faults_of_check(tilescope, plant, patch):
    """What is not as the table has it."""
    verdict, findings, said = verdict_of(tilescope, plant.kernel, "--patch", patch)
    if verdict != plant.check:
        yield f"check says {verdict}, not {plant.check}\n{said[:600]}"
    if verdict == "error" and not plant.error_has(" ".join(found["text"] for found in findings)):
        yield f"the error is another: {said[:600]}"
    if verdict == "no" and not any(found.get("place") for found in findings):
        yield "check says no, without a line"


def check_missed(tilescope, plant, patch):
    """Where `exec` has nothing to say: it must not say anything."""
    code, output, said = run(*check_plants.exec_command(tilescope, plant.kernel, patch))
    stage = json.loads(output)["stages"][-1] if output else {}
    if stage.get("findings") or stage.get("differences"):
        return [f"exec says {next(check_plants.texts_of(stage))}"]
    return [f"exec: exit code {code}: {said[:600]}"] if code != 0 and plant.check not in ("no", "error") else []


def check_plant(tilescope, folder, number, plant):
    """(what is wrong, what is said of it)"""
    arguments = check_plants.arguments_of(plant.kernel)
    before = check_plants.lines_after(tilescope, tuple(arguments), plant.place)
    try:
        text = check_plants.patch_of(plant.place, before, plant.edit(before))
    except check_plants.text_edits.NoPlace as error:
        return [str(error)], ""
    patch = pathlib.Path(folder) / f"{number}.patch"
    patch.write_text(text)
    if plant.says:
        faults, said = check_plants.check_plant(tilescope, folder, number, plant)
        faults = [fault for fault in faults if not (plant.elsewhere and fault.startswith(check_plants.NOT_SHOWN))]
    else:
        faults, said = check_missed(tilescope, plant, patch), ""
    is_found = plant.says or plant.check in ("no", "not-established", "error") or plant.harmless
    return [*faults, *faults_of_check(tilescope, plant, patch), *([] if is_found else ["nobody finds it"])], said


def check_sound(tilescope, kernel, expected):
    """What is said of a kernel without a fault."""
    code, output, said = run(tilescope, "exec", *check_plants.arguments_of(kernel), "--format", "json")
    stage = json.loads(output)["stages"][-1] if output else {}
    if code or stage["verdict"] != "equal":
        yield f"exec: exit code {code}: {next(check_plants.texts_of(stage), '') if stage else said[:600]}"
    verdict, _, said = verdict_of(tilescope, kernel)
    if verdict != expected:
        yield f"check says {verdict}, not {expected}\n{said[:600]}"


def main():
    tilescope = str(pathlib.Path(sys.argv[1]).resolve())
    chosen = [plant for plant in hopper_plants.PLANTS
              if not sys.argv[2:] or any(part in plant.name for part in sys.argv[2:])]
    sound = [] if sys.argv[2:] else list(hopper_plants.sound_kernels())
    findings = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(check_plant, tilescope, folder, number, plant) for number, plant in enumerate(chosen)]
        for plant, job in zip(chosen, jobs):
            faults, said = job.result()
            print(f"{plant.place:16} {plant.name:52} {plant.check:16} {said}", flush=True)
            findings += [f"{plant.name}, after {plant.place}: {fault}" for fault in faults]
        jobs = [pool.submit(lambda one: list(check_sound(tilescope, *one)), one) for one in sound]
        for (kernel, _), job in zip(sound, jobs):
            findings += [f"without a fault: {kernel.file} {kernel.compiled}: {fault}" for fault in job.result()]
    harmless = sum(plant.harmless for plant in chosen)
    print(f"{len(chosen) - harmless} faults, {harmless} edits that do no harm, {len(sound)} kernels without any")
    tree.finish("hopper plants", findings)


if __name__ == "__main__":
    main()
