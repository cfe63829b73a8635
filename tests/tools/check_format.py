#!/usr/bin/env python3
"""Formatting: every source is as clang-format 19 leaves it (./dev format)."""

import concurrent.futures
import shutil
import subprocess

import tree


def is_formatted(program, path):
    result = subprocess.run([program, "--dry-run", "-Werror", path], cwd=tree.ROOT, capture_output=True)
    return result.returncode == 0


def main():
    program = shutil.which("clang-format-19")
    if not program:
        return ["clang-format-19 is missing: run ./dev setup"]
    paths = tree.files(".cpp", ".h")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        verdicts = list(pool.map(lambda path: is_formatted(program, path), paths))
    return [f"{path}: not formatted (./dev format)" for path, good in zip(paths, verdicts) if not good]


if __name__ == "__main__":
    tree.finish("format", main())
