#!/usr/bin/env python3
"""Compiles every kernel instance of testdata/kernels with the real nvcc, for one of its targets.

Usage: check_nvcc.py TILESCOPE [KERNEL.py...]
In PTX nothing touches the sums of wgmma before they are waited for (wgmma_registers.py).
Also the kernels of tests/golden that are its sample: each value of each switch, and no wgmma that ptxas serialises.
The targets take turns; with KERNEL.py, or TILESCOPE_LONG in the environment (`./dev test --long`), it is every target.
No warning, and no spill unless the kernel file says `# tilescope-spills-ok: why` on the line before
the instance. Exit status 77: there is no nvcc here.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import kernel_instances
import tree
import wgmma_registers

SPILL = re.compile(r"\d+ bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
SKIP = 77


def find_nvcc():
    homes = [str(tree.ROOT / ".cuda"), os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    for home in filter(None, homes):
        if os.access(f"{home}/bin/nvcc", os.X_OK):
            return f"{home}/bin/nvcc"
    return shutil.which("nvcc")


def find_both(layer):
    """nvcc and nvdisasm; a layer that wants both is skipped where one is missing."""
    nvcc = find_nvcc()
    # ./dev test fetches nvdisasm into .venv/: what sets up a toolkit for compiling often goes without.
    wheel = next(tree.ROOT.glob(".venv/lib/python*/site-packages/nvidia/*/bin/nvdisasm"), None)
    nvdisasm = nvcc and (shutil.which("nvdisasm", path=str(pathlib.Path(nvcc).parent)) or shutil.which("nvdisasm") or wheel)
    if not nvdisasm:
        print(f"{layer}: SKIPPED: no {'nvdisasm' if nvcc else 'nvcc'} here; ./dev setup --cuda fetches both")
        sys.exit(SKIP)
    return nvcc, str(nvdisasm)


def sums_touched_early(nvcc, stem, target):
    """Of the CUDA there; the same file is compiled as for the cubin."""
    with open(f"{stem}.cu", encoding="utf-8") as file:
        if "wgmma_wait" not in file.read():
            return []
    subprocess.run([nvcc, f"-arch={target}", "-std=c++17", "-ptx", f"{stem}.cu", "-o", f"{stem}.ptx"], check=True,
                   capture_output=True)
    with open(f"{stem}.ptx", encoding="utf-8") as file:
        return wgmma_registers.touched_early(file.read())


def check_instance(tilescope, nvcc, instance, folder):
    stem = pathlib.Path(tempfile.mkdtemp(dir=folder)) / "kernel"
    compiled = subprocess.run([tilescope, "compile", *instance.arguments, "-o", f"{stem}.cu"],
                              cwd=tree.ROOT, capture_output=True, text=True)
    if compiled.returncode:
        return [f"{instance.label}: tilescope exits with {compiled.returncode}\n{compiled.stderr.strip()}"]
    built = subprocess.run([nvcc, f"-arch={instance.target}", "-std=c++17", "-cubin", "-Werror", "all-warnings",
                            "-Xptxas", "-v", f"{stem}.cu", "-o", f"{stem}.cubin"], capture_output=True, text=True)
    output = built.stdout + built.stderr
    findings = []
    if built.returncode or "warning" in output:
        findings.append(f"{instance.label}: nvcc does not accept it\n{output.strip()[:4000]}")
    spills = [match.group(0) for match in SPILL.finditer(output) if match.groups() != ("0", "0")]
    if spills and not instance.spills_expected:
        findings.append(f"{instance.label}: spills: {'; '.join(spills)}")
    early = sums_touched_early(nvcc, stem, instance.target) if not built.returncode else []
    if early:
        findings.append(f"{instance.label}: {len(early)} instructions touch sums of wgmma before the wait: {early[0]}")
    return findings


def golden_jobs(pool, nvcc, folder):
    sys.path.insert(0, str(tree.ROOT / "tests/golden"))
    import build
    import variants
    missing = variants.values(variants.ALL) - variants.values(variants.SAMPLE)
    assert not missing, f"tests/golden/variants.py: SAMPLE leaves out {sorted(missing)}"
    return [pool.submit(build.compile_variant, nvcc, variants.ALL[name], f"{folder}/{name}.cubin")
            for name in variants.SAMPLE]


def main():
    tilescope = pathlib.Path(sys.argv[1]).resolve()
    nvcc = find_nvcc()
    if not nvcc:
        print("nvcc: SKIPPED: no nvcc in .cuda, CUDA_HOME, /usr/local/cuda or PATH; ./dev setup --cuda fetches one")
        sys.exit(SKIP)
    assert wgmma_registers.touched_early(wgmma_registers.MOVED) == ["mov.b32 %r1, %f2;"]
    kernels = sys.argv[2:] or kernel_instances.kernel_files()
    instances, findings = kernel_instances.all_instances(kernels)
    if not sys.argv[2:] and not os.environ.get("TILESCOPE_LONG"):
        instances = kernel_instances.one_target_each(instances)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(check_instance, tilescope, nvcc, instance, folder) for instance in instances]
        golden = [] if sys.argv[2:] else golden_jobs(pool, nvcc, folder)
        for job in jobs:
            findings += job.result()
        findings += filter(None, [job.result() for job in golden])
    print(f"nvcc: {len(instances)} instances of {len(kernels)} kernel files and {len(golden)} golden kernels with {nvcc}")
    tree.finish("nvcc", findings)


if __name__ == "__main__":
    main()
