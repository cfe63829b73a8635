#!/usr/bin/env python3
"""Records the traces testdata/traces/recorded_*.trace again, each from its own header.

Usage: update_golden.py [--check] [--tilescope PROGRAM] [TRACE...]
A trace says what it was made from: kernel file, function, arguments, target, passes. Times and byte
offsets differ from run to run and are left out of the comparison. `--check` writes nothing and
fails if a trace would change. Other traces of the folder are written by hand and stay.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

import tree

# Records and fields that hold times, or offsets that shift with the digits of a time.
VOLATILE_RECORDS = {"time", "index"}
VOLATILE_FIELDS = {"previousPassEnd", "lastFull", "toolVersion"}


def normalised(text):
    records = [json.loads(line) for line in text.splitlines() if line.strip()]
    return [{key: value for key, value in record.items() if key not in VOLATILE_FIELDS}
            for record in records if record.get("record") not in VOLATILE_RECORDS]


def command_of(header, tilescope, output):
    command = [tilescope, "compile", f"{header['file']}:{header['function']}", "--target", header["target"]]
    for parameter in header.get("parameters", []):
        if parameter["value"] != parameter.get("defaultValue"):
            command += ["--set", f"{parameter['name']}={parameter['value']}"]
    return command + ["-o", "/dev/null", "--trace", output]


def record_again(path, tilescope):
    """The text of the trace as today's program records it, or an error."""
    header = json.loads(tree.text(path).splitlines()[0])
    with tempfile.TemporaryDirectory() as folder:
        output = f"{folder}/new.trace"
        result = subprocess.run(command_of(header, tilescope, output), cwd=tree.ROOT, capture_output=True, text=True)
        if result.returncode:
            return None, f"{path}: compile exits with {result.returncode}\n{result.stderr.strip()}"
        return pathlib.Path(output).read_text(), None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--tilescope", default=str(tree.ROOT / "build/release/bin/tilescope"))
    parser.add_argument("traces", nargs="*")
    options = parser.parse_args()
    recorded = [path for path in tree.files(".trace") if path.startswith("testdata/traces/recorded_")]
    findings = []
    for path in options.traces or recorded:
        new, error = record_again(path, pathlib.Path(options.tilescope).resolve())
        if error:
            findings.append(error)
        elif normalised(new) == normalised(tree.text(path)):
            continue
        elif options.check:
            findings.append(f"{path}: not what the program records today (tests/tools/update_golden.py {path})")
        else:
            (tree.ROOT / path).write_text(new)
            print(f"wrote {path}")
    tree.finish("golden traces", findings)


if __name__ == "__main__":
    main()
