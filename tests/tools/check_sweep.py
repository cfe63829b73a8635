#!/usr/bin/env python3
"""`python -m tilescope sweep` of kernels with @tilelang.autotune: the figures are those of `tilescope sweep` over the same
values. Run by `./dev peer` with the Python of .peer/; needs no GPU and no nvcc.

Usage: check_sweep.py TILESCOPE"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import tree

KERNEL = tree.ROOT / "testdata/kernels/gemm_relu_lazy.py"
SIZE = ["--set", "M=256", "--set", "N=256", "--set", "K=256"]
TUNED = f"""
import sys
found = sys.path.insert(0, {str(KERNEL.parent)!r})  # calls alone are left out of kernel files
import itertools
import tilelang
import gemm_relu
import gemm_relu_lazy
import rows_of_gpu
from tilelang.transform import PassConfigKey

grid = [dict(block_M=m, num_stages=s) for m, s in itertools.product((64, 128), (1, 2, 3))]
tuned = tilelang.autotune(configs=grid)(gemm_relu_lazy.matmul)
# Not all combinations, one twice, one that raises, one that we refuse, one with a wrong name, one that is for passes.
mixed = tilelang.autotune(configs=[grid[0], grid[5], grid[0], dict(block_M="many"), dict(block_M=8), dict(block_Q=1),
                                   grid[0] | {{"pass_configs": {{PassConfigKey.TL_ENABLE_FAST_MATH: True}}}}])(gemm_relu_lazy.matmul)
by_size = tilelang.autotune(configs=lambda M, N, K: [dict(block_M=M // 2), dict(block_M=N // 4)])(gemm_relu_lazy.matmul)
by_place = tilelang.autotune(configs=lambda rows, columns, depth: [dict(block_M=rows // 2)])(gemm_relu_lazy.matmul)
eager = tilelang.autotune(configs=grid)(gemm_relu.matmul)
asking = tilelang.autotune(configs=[dict(block_M=rows_of_gpu.ROWS)])(gemm_relu_lazy.matmul)
none = tilelang.autotune(configs=[])(gemm_relu_lazy.matmul)
plain = gemm_relu_lazy.matmul
"""
# Beside the kernel's file.
ROWS_OF_GPU = "import torch\nROWS = 64 if torch.cuda.get_device_capability() < (9, 0) else 128\n"


class Sweeps:
    def __init__(self, tilescope, folder):
        self.tilescope, self.file = tilescope, folder / "tuned.py"
        self.file.write_text(TUNED, encoding="utf-8")
        (folder / "rows_of_gpu.py").write_text(ROWS_OF_GPU, encoding="utf-8")

    def of_configs(self, kernel, *words):
        environment = os.environ | {"PYTHONPATH": str(tree.ROOT / "python"),
                                    "TILESCOPE_PROGRAMS": str(pathlib.Path(self.tilescope).resolve().parent)}
        return subprocess.run([sys.executable, "-m", "tilescope", "sweep", f"{self.file}:{kernel}", *words],
                              capture_output=True, text=True, env=environment)

    def of_values(self, *words):
        run = subprocess.run([self.tilescope, "sweep", f"{KERNEL}:matmul", *SIZE, *words, "--format", "json"],
                             capture_output=True, text=True)
        return figures_of(run.stdout)


def figures_of(text):
    """By arguments; names of parameters in `problem` are the kernel's in both."""
    points = json.loads(text)["points"] if text else []
    return {json.dumps(point["arguments"]): {name: value for name, value in point.items() if name != "point"}
            for point in points}


def check_grid(sweeps):
    run = sweeps.of_configs("tuned", *SIZE, "--format", "json")
    yield run.returncode == 0, f"exit code {run.returncode}: {run.stderr}"
    ours = sweeps.of_values("--set", "block_M=64,128", "--set", "num_stages=1..3")
    theirs = figures_of(run.stdout)
    yield theirs == ours, f"other figures than tilescope sweep:\n{theirs}\n{ours}"
    table = sweeps.of_configs("tuned", *SIZE, "--target", "sm_90a")
    yield "block_M  num_stages  peak bytes" in table.stdout, f"no column an argument:\n{table.stdout}{table.stderr}"


def check_targets(sweeps):
    """Point by point those of the program."""
    values = ("--set", "block_M=64,128", "--set", "num_stages=1..3", "--target", "sm_80,sm_89,sm_90a", "--format", "json")
    run = sweeps.of_configs("tuned", *SIZE, "--target", "sm_80,sm_89", "--target", "sm_90a", "--format", "json")
    ours = subprocess.run([sweeps.tilescope, "sweep", f"{KERNEL}:matmul", *SIZE, *values], capture_output=True, text=True)
    yield run.returncode == ours.returncode == 0, f"exit codes {run.returncode}, {ours.returncode}: {run.stderr}{ours.stderr}"
    yield json.loads(run.stdout)["points"] == json.loads(ours.stdout)["points"], f"others:\n{run.stdout}\n{ours.stdout}"
    # Modules beside the kernel's file are told of each target too.
    for target, rows in (("sm_80", 64), ("sm_90a", 128)):
        run = sweeps.of_configs("asking", *SIZE, "--target", target, "--format", "csv")
        yield f",{rows}," in run.stdout, f"asking, {target}: {run.stdout}{run.stderr}"
    run = sweeps.of_configs("asking", *SIZE, "--target", "sm_80", "--target", "sm_90a")
    yield run.returncode == 2 and "other configs for sm_90a than for sm_80" in run.stderr, f"asking: {run.stdout}{run.stderr}"


def check_mixed(sweeps):
    """What fails is a row with its reason."""
    run = sweeps.of_configs("mixed", *SIZE)
    yield run.returncode == 1 and "Traceback" not in run.stderr, f"exit code {run.returncode}: {run.stderr}"
    yield "6 points" in run.stdout and "3 failed" in run.stdout, f"not six rows, three with a reason:\n{run.stdout}"
    for words in ("block_M=64 num_stages=1  ", "pass_configs=tl.enable_fast_math=True", "block_M='many'", "TypeError",
                  "cannot share 8 x 128", "block_Q"):
        yield words in run.stdout, f"no '{words}' in\n{run.stdout}"


def check_callables(sweeps):
    for kernel, expected in (("by_size", {"128", "64"}), ("by_place", {"128"})):
        run = sweeps.of_configs(kernel, *SIZE, "--format", "json")
        found = {json.loads(key)["block_M"] for key in figures_of(run.stdout)} if run.returncode == 0 else run.stderr
        yield {str(value) for value in found} == expected, f"{kernel}: {found}"


def check_refused(sweeps):
    for kernel, words, reason in (("plain", SIZE, "no @tilelang.autotune"), ("none", SIZE, "the list of configs is empty"),
                                  ("tuned", [*SIZE, "--set", "block_M=64"], "--set block_M: the configs of"),
                                  ("tuned", [], "missing a required argument: 'M'"), ("nothing", [], "has no kernel nothing"),
                                  ("tuned", [*SIZE, "--set", "Q=1"], "Q"),
                                  # All configs have one reason, and name each extent once.
                                  ("eager", [*SIZE, "--set", "Q=1"], "compiles:\nthe kernel has no argument 'Q': it has A, B, "
                                   "bias, block_M, block_N, block_K, num_stages, threads, dtype, K, M, N\n")):
        run = sweeps.of_configs(kernel, *words)
        yield run.returncode == 2 and reason in run.stderr and "Traceback" not in run.stderr, (
            f"{kernel} {words}: exit code {run.returncode}: {run.stderr}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        sweeps = Sweeps(sys.argv[1], pathlib.Path(folder))
        return [text for check in (check_grid, check_targets, check_mixed, check_callables, check_refused)
                for holds, text in check(sweeps) if not holds]


if __name__ == "__main__":
    tree.finish("sweep", main())
