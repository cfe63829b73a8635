#!/usr/bin/env python3
"""Prints the commands of README.md, in order, as one script for bash; the folder it runs in holds testdata/.

Left out: ./dev (a fresh machine runs it), what a command prints, and the recorder, which wants TileLang; of these the
files that they name must be there. A window becomes a picture, and a machine without a GPU may say so.
"""
import pathlib
import re
import sys


def commands(readme):
    """Commands of all fenced blocks behind the tour's heading, continuation lines joined."""
    tour = readme[readme.index("## Tour"):]
    for block in re.findall(r"^```\n(.*?)^```", tour, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            if line and not line.startswith("    "):
                yield re.sub(r"\s+#\s.*", "", line)


def script_of(command):
    command = command.replace("build/release/bin/tilescope", "tilescope")
    if command.startswith("./dev"):
        return None
    if command.startswith(("python -m tilescope", "TILESCOPE_RECORD=")):
        # They need TileLang: ./dev peer runs such. Here the kernels that they name are there.
        return " && ".join(f"test -e {word.partition(':')[0]}" for word in command.split() if ".py:" in word)
    if command.startswith("tilescope view"):
        picture = "" if "--screenshot" in command else " --screenshot window.png"
        return f"! tilescope view --help >/dev/null 2>&1 || {command}{picture}"
    if command.startswith(("tilescope run", "tilescope tune")):
        return f"{command} || [ $? = 2 ]"
    return command


def main():
    print("set -ex -o pipefail")
    for command in commands(pathlib.Path(sys.argv[1]).read_text()):
        script = script_of(command)
        if script:
            print(script)


if __name__ == "__main__":
    main()
