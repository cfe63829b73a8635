#!/usr/bin/env python3
"""A compile killed with SIGKILL leaves a trace that opens up to the last finished pass.

Usage: check_crash.py TILESCOPE [KERNEL.py]
Killed once at a known place (the trace is a FIFO whose reader stops) and many times at random.
"""

import fcntl
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import kernel_instances
import tree

RANDOM_KILLS = 40
# Linux; os has no name for it in this Python.
SET_PIPE_SIZE = 1031


def finished_passes(data):
    """Names of the passes whose passEnd record is whole."""
    names = []
    for line in data.split(b"\n")[:-1]:
        record = json.loads(line)
        if record.get("record") == "passEnd":
            names.append(record["name"])
    return names


def check_opens(tilescope, trace, place):
    """What `show passes` says of a torn trace: all finished passes, and never a crash."""
    data = trace.read_bytes()
    result = subprocess.run([tilescope, "show", "passes", trace, "--format", "json"], capture_output=True, text=True)
    expected = finished_passes(data)
    if not expected:
        return [] if result.returncode in (0, 2) else [f"{place}: show exits with {result.returncode}"]
    if result.returncode:
        return [f"{place}: {len(expected)} passes had ended, show exits with {result.returncode}\n{result.stderr}"]
    shown = [entry["name"] for entry in json.loads(result.stdout)["passes"]]
    return [] if shown[:len(expected)] == expected else [f"{place}: shows {shown}, {expected} had ended"]


def start(tilescope, instance, trace):
    return subprocess.Popen([tilescope, "compile", *instance.arguments, "-o", "/dev/null", "--trace", trace],
                            cwd=tree.ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def kill_at_stopped_reader(tilescope, instance, folder):
    """The reader takes what comes until two passes have ended, then stops; the writer is killed."""
    fifo, copy = folder / "fifo", folder / "stopped.trace"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    fcntl.fcntl(reader, SET_PIPE_SIZE, 4096)
    process = start(tilescope, instance, fifo)
    os.set_blocking(reader, True)
    data = b""
    deadline = time.monotonic() + 60
    while len(finished_passes(data)) < 2 and time.monotonic() < deadline:
        chunk = os.read(reader, 4096)
        data += chunk
        # Nothing to read: the writer has not opened the FIFO yet, or is gone.
        if not chunk:
            if process.poll() is not None:
                break
            time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()
    while rest := os.read(reader, 4096):
        data += rest
    os.close(reader)
    copy.write_bytes(data)
    if b'"record":"index"' in data:
        return ["stopped reader: the compile had ended before it was killed; the kernel is too small"]
    return check_opens(tilescope, copy, "stopped reader")


def kill_at_random(tilescope, instance, folder, seconds):
    trace = folder / "random.trace"
    findings = []
    for number in range(RANDOM_KILLS):
        for left in folder.glob("random.trace*"):
            left.unlink()
        process = start(tilescope, instance, trace)
        time.sleep(random.Random(number).uniform(0, seconds))
        process.send_signal(signal.SIGKILL)
        process.wait()
        # It grows beside its name, which only a whole one gets.
        for left in folder.glob("random.trace*"):
            findings += check_opens(tilescope, left, f"random kill {number}")
            if left == trace and b'"record":"index"' not in left.read_bytes():
                findings.append(f"random kill {number}: a torn trace has the final name")
    return findings


def main():
    tilescope = pathlib.Path(sys.argv[1]).resolve()
    kernel = sys.argv[2] if len(sys.argv) > 2 else "testdata/kernels/gemm_relu.py"
    instance = next(kernel_instances.of_file(kernel))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        begin = time.monotonic()
        start(tilescope, instance, folder / "whole.trace").wait()
        seconds = time.monotonic() - begin
        findings = check_opens(tilescope, folder / "whole.trace", "whole trace")
        findings += kill_at_stopped_reader(tilescope, instance, folder)
        findings += kill_at_random(tilescope, instance, folder, seconds)
    print(f"crash: 1 stopped reader, {RANDOM_KILLS} random kills within {seconds * 1000:.0f} ms")
    tree.finish("crash", findings)


if __name__ == "__main__":
    main()
