#!/usr/bin/env python3
"""The house layer of ./dev test: layers, sizes, names, commands of tests, operations, formatting, generated files.

Usage: check_house.py [TILESCOPE]; without the program, generated files are not checked.
"""

import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent


def main():
    commands = [["check_layers.py"], ["check_size.py"], ["check_names.py"], ["check_tests.py"], ["check_ops.py"],
                ["check_format.py"], ["check_recorded_traces.py"]]
    if len(sys.argv) > 1:
        commands.append(["update_checks.py", "--check", "--tilescope", sys.argv[1]])
        commands.append(["update_language.py", "--check", "--tilescope", sys.argv[1]])
        commands.append(["update_golden.py", "--check", "--tilescope", sys.argv[1]])
    failed = []
    for script, *arguments in commands:
        result = subprocess.run([sys.executable, FOLDER / script, *arguments])
        if result.returncode:
            failed.append(script)
    if failed:
        print("failed: " + ", ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
