#!/usr/bin/env python3
"""Writes the FileCheck lines of tests that say `# CHECKS: generated` in one of their first lines.

Usage: update_checks.py [--check] [--tilescope PROGRAM] [TEST...]
Everything after the line `# CHECKS: begin` (added at the end where it is missing) is replaced by
what each RUN line prints today. `--check` writes nothing and fails if a file would change.
"""

import argparse
import re

import run_lines
import tree

HEAD = "# CHECKS: generated"
BEGIN = "# CHECKS: begin"


def is_generated(path):
    return HEAD in tree.text(path).splitlines()[:6]


def escape(line):
    """A line of output as FileCheck text: its pattern brackets are quoted, times become patterns."""
    line = re.sub(r"\[\[|\{\{", lambda m: "{{\\[\\[}}" if m.group(0) == "[[" else "{{[{][{]}}", line)
    return re.sub(r"\b\d+(?:\.\d+)? (?:ms|us|MiB)\b", "{{[0-9.]+ (ms|us|MiB)}}", line)


def check_lines(prefix, output):
    lines, previous_blank = [], True
    for line in output.rstrip().splitlines():
        if not line.strip():
            previous_blank = True
            continue
        kind = "" if previous_blank else "-NEXT"
        lines.append(f"# {prefix}{kind}: {escape(line.rstrip())}")
        previous_blank = False
    return lines


def updated(path, tilescope):
    text = tree.text(path)
    kept = text.split(BEGIN)[0].rstrip("\n")
    lines = []
    for command in run_lines.commands(text):
        producer, prefix = run_lines.split_checker(command)
        if prefix:
            lines += check_lines(prefix, run_lines.output_of(producer, path, tilescope)) + [""]
    return kept + "\n\n" + BEGIN + "\n" + "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--tilescope", default=str(tree.ROOT / "build/release/bin/tilescope"))
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    for path in options.tests:
        if not is_generated(path):
            parser.error(f"{path} does not say '{HEAD}' in its first lines")
    findings = []
    for path in options.tests or [p for p in tree.files(".py", ".test") if p.startswith("tests/") and is_generated(p)]:
        new = updated(path, options.tilescope)
        if new == tree.text(path):
            continue
        if options.check:
            findings.append(f"{path}: its checks are not up to date (tests/tools/update_checks.py {path})")
        else:
            (tree.ROOT / path).write_text(new)
            print(f"wrote {path}")
    tree.finish("generated checks", findings)


if __name__ == "__main__":
    main()
