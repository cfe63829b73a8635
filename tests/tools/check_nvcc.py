#!/usr/bin/env python3
"""Compiles every kernel instance of testdata/kernels with the real nvcc, for every target.

Usage: check_nvcc.py TILESCOPE [KERNEL.py...]
An instance is a comment line of a kernel file: `# tilescope: FUNCTION --set M=1024 ...`; with
`--target T` in it, for that target only. An instance may allow spills with `# tilescope-spills-ok`
on the line before it. Exit status 77: there is no nvcc here.
"""

import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import tree

TARGETS = ["sm_80", "sm_89", "sm_90a"]
INSTANCE = re.compile(r"^#\s*tilescope:\s*(.+)$")
SPILL = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
MAX_COLUMNS = 120
SKIP = 77


def find_nvcc():
    homes = [str(tree.ROOT / ".cuda"), os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    for home in filter(None, homes):
        if os.access(f"{home}/bin/nvcc", os.X_OK):
            return f"{home}/bin/nvcc"
    return shutil.which("nvcc")


def instances(path):
    """(arguments of tilescope compile, whether spills are expected) of each instance of a file."""
    spills_expected = False
    for line in tree.text(path).splitlines():
        if line.startswith("# tilescope-spills-ok"):
            spills_expected = True
            continue
        match = INSTANCE.match(line)
        if match:
            function, *rest = shlex.split(match.group(1))
            targets = [rest[rest.index("--target") + 1]] if "--target" in rest else TARGETS
            for target in targets:
                extra = [] if "--target" in rest else ["--target", target]
                yield [f"{path}:{function}", *rest, *extra], target, spills_expected
        spills_expected = False


def check_lines(cuda, label):
    for number, line in enumerate(pathlib.Path(cuda).read_text().splitlines(), 1):
        if len(line) > MAX_COLUMNS:
            yield f"{label}: emitted line {number} has {len(line)} columns, the limit is {MAX_COLUMNS}"


def check_instance(tilescope, nvcc, arguments, target, spills_expected, folder):
    label = " ".join(arguments)
    stem = pathlib.Path(tempfile.mkdtemp(dir=folder)) / "kernel"
    cuda = f"{stem}.cu"
    compiled = subprocess.run([tilescope, "compile", *arguments, "-o", cuda],
                              cwd=tree.ROOT, capture_output=True, text=True)
    if compiled.returncode:
        return [f"{label}: tilescope exits with {compiled.returncode}\n{compiled.stderr.strip()}"]
    findings = list(check_lines(cuda, label))
    built = subprocess.run([nvcc, f"-arch={target}", "-std=c++17", "-cubin", "-Werror", "all-warnings",
                            "-Xptxas", "-v", cuda, "-o", f"{stem}.cubin"], capture_output=True, text=True)
    output = built.stdout + built.stderr
    if built.returncode or "warning" in output:
        findings.append(f"{label}: nvcc does not accept it\n{output.strip()[:4000]}")
    spilled = [match.group(0) for match in SPILL.finditer(output) if match.group(2) != "0" or match.group(3) != "0"]
    if spilled and not spills_expected:
        findings.append(f"{label}: spills: {'; '.join(spilled)}")
    return findings


def main():
    tilescope = pathlib.Path(sys.argv[1]).resolve()
    kernels = sys.argv[2:] or [path for path in tree.files(".py") if path.startswith("testdata/kernels/")]
    nvcc = find_nvcc()
    if not nvcc:
        print("nvcc: SKIPPED: no nvcc in .cuda, CUDA_HOME, /usr/local/cuda or PATH; ./dev setup --cuda fetches one")
        sys.exit(SKIP)
    work = [(path, *instance) for path in kernels for instance in instances(path)]
    silent = sorted(set(kernels) - {path for path, *_ in work})
    findings = [f"{path}: no '# tilescope: FUNCTION ...' line" for path in silent]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(check_instance, tilescope, nvcc, *instance, folder) for _, *instance in work]
        for job in jobs:
            findings += job.result()
    print(f"nvcc: {len(work)} instances of {len(kernels)} kernel files with {nvcc}")
    tree.finish("nvcc", findings)


if __name__ == "__main__":
    main()
