"""Blocks marked `console` in a page: commands behind `$ `, and what they print to both streams.

A command goes on in the next line where that is indented and the quotes of the first are open. A line `...` stands for lines
that are left out, and times are not compared. All commands of a page run in one folder, which holds a copy of the page's.
"""

import os
import re
import subprocess

BLOCK = re.compile(r"^```console\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def steps_of(block):
    """(command, output) of each."""
    steps = []
    for line in block.splitlines(keepends=True):
        if line.startswith("$ "):
            steps.append([line[2:], ""])
        elif not steps[-1][1] and steps[-1][0].count("'") % 2:
            steps[-1][0] += line
        else:
            steps[-1][1] += line
    return [(command.rstrip("\n"), output) for command, output in steps]


def without_times(text):
    """Times differ from run to run, and so do the blanks around them."""
    return re.sub(r" +", " ", re.sub(r"\b\d+(\.\d+)? ms\b|(?<= )\d+\.\d{3}(?=\s)", "TIME", text))


def agrees(printed, expected):
    parts = re.split(r"^\.\.\.\n", without_times(expected), flags=re.MULTILINE)
    return bool(re.fullmatch("(?:.*\n)*?".join(re.escape(part) for part in parts), without_times(printed)))


class Console:
    """Runs commands in `folder`, the program found by its plain name."""

    def __init__(self, programs, folder):
        self.folder = folder
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}

    def output(self, command):
        run = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return run.stdout if run.stdout.endswith("\n") or not run.stdout else run.stdout + "\n"
