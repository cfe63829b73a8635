"""Runs a command whose standard output is a pipe that nobody reads; says how it ended."""

import os
import signal
import subprocess
import sys

reader, writer = os.pipe()
os.close(reader)
result = subprocess.run(sys.argv[1:], stdout=writer, stderr=subprocess.PIPE, text=True)
print(f"{signal.Signals(-result.returncode).name}, standard error: {result.stderr!r}")
