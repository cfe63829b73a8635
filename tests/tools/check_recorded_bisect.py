#!/usr/bin/env python3
"""Which commit made a kernel larger: the recipe of python/tilescope/recorder/README.md, run as it stands there over a
repository of six commits. Run by `./dev peer` with the Python of .peer/; needs nvcc, no GPU.

Usage: check_recorded_bisect.py TILESCOPE"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

import tree

README = "python/tilescope/recorder/README.md"
PROGRAM = """
import tilelang
import tilelang.language as T

@tilelang.jit(out_idx=[-1], target={"kind": "cuda", "arch": "sm_80"})
def matmul(M, N, K, block=64, threads=128):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(N // block, M // block, threads=threads) as (bx, by):
            A_shared = T.alloc_shared((block, 32), "float16")
            B_shared = T.alloc_shared((32, block), "float16")
            C_local = T.alloc_fragment((block, block), "float32")
            T.clear(C_local)
            for k in T.Pipelined(K // 32, num_stages=2):
                T.copy(A[by * block, k * 32], A_shared)
                T.copy(B[k * 32, bx * block], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.copy(C_local, C[by * block, bx * block])
    return main

matmul(256, 256, 256)
"""
# What each commit replaces in the program, by its title. At the fourth the kernel is again that of the first, which
# TileLang's cache has.
COMMITS = {
    "begin": ("", ""),
    "tell": ("import tilelang\n", "# Multiplies two matrices.\nimport tilelang\n"),
    "break": ("T.clear(", "T.clean("),
    "mend": ("T.clean(", "T.clear("),
    "deepen": ("num_stages=2", "num_stages=3"),
    "rename": ("C_local", "accumulator"),
}
WANTED = "deepen"


def recipe():
    blocks = re.findall(r"^```\n(.*?)^```$", tree.text(README), re.MULTILINE | re.DOTALL)
    return next(block for block in blocks if "git bisect run" in block)


def environment(tilescope, scratch):
    """Programs by their names, and Python's own way to the line of tilescope.pth."""
    (scratch / "site").mkdir()
    (scratch / "site" / "sitecustomize.py").write_text(f"import site\nsite.addsitedir({str(tree.ROOT / 'python')!r})\n")
    folders = (pathlib.Path(sys.executable).parent, pathlib.Path(tilescope).resolve().parent, os.environ["PATH"])
    who = {f"GIT_{role}_{what}": "t@t" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return os.environ | who | {"PATH": ":".join(map(str, folders)), "PYTHONPATH": str(scratch / "site"),
                               "TILELANG_CACHE_DIR": str(scratch / "cache"), "GIT_CONFIG_GLOBAL": os.devnull}


def make_repository(folder, git):
    git("init", "-q", "-b", "main", folder)
    text = PROGRAM
    for title, (old, new) in COMMITS.items():
        text = text.replace(old, new) if old else text
        (folder / "prog.py").write_text(text, encoding="utf-8")
        git("add", "prog.py")
        git("commit", "-q", "-m", title)
    git("tag", "first", f"main~{len(COMMITS) - 1}")


def check(tilescope, scratch):
    given, repository = environment(tilescope, scratch), scratch / "repository"
    repository.mkdir()

    def git(*words):
        return subprocess.run(["git", *words], cwd=repository, env=given, check=True, capture_output=True, text=True).stdout

    make_repository(repository, git)
    commands = recipe().replace("/tmp/", f"{scratch}/").replace("BAD", "main").replace("GOOD", "first")
    run = subprocess.run(["sh", "-e", "-c", commands], cwd=repository, env=given, capture_output=True, text=True)
    said = run.stdout + run.stderr
    yield run.returncode == 0 and "is the first bad commit" in run.stdout, f"exit code {run.returncode}:\n{said}"
    found = git("log", "-1", "--format=%s", "refs/bisect/bad").strip()
    yield found == WANTED, f"blames '{found}', not '{WANTED}':\n{said}"
    yield "grew: main_kernel: peak 16,384 -> 24,576 bytes" in run.stdout, f"does not say what grew:\n{said}"
    told = subprocess.run([tilescope, "check", "--help"], capture_output=True, text=True).stdout
    shared = textwrap.indent(recipe()[recipe().index("git bisect start"):], "  ")
    yield shared in told, f"`check --help` has other commands than {README}:\n{shared}"


def main():
    with tempfile.TemporaryDirectory() as scratch:
        return [text for holds, text in check(sys.argv[1], pathlib.Path(scratch)) if not holds]


if __name__ == "__main__":
    tree.finish("recorded bisect", main())
