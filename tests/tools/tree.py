"""What the checks share: the files of the tree, and how a finding is printed."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def files(*suffixes):
    """Relative paths of all files that git tracks or would track, with one of the suffixes."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return sorted(f for f in set(listed)
                  if (not suffixes or f.endswith(suffixes)) and (ROOT / f).is_file())


def text(path):
    return (ROOT / path).read_text(encoding="utf-8", errors="replace")


def finish(name, findings):
    """Prints the findings; the exit status says whether there were any."""
    for finding in findings:
        print(f"{name}: {finding}")
    print(f"{name}: {len(findings)} finding(s)" if findings else f"{name}: ok")
    sys.exit(1 if findings else 0)
