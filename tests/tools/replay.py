#!/usr/bin/env python3
"""Shows how the emitted CUDA of every kernel instance changed: ./dev replay BASE

usage: replay.py OLD NEW [KERNEL.py...]

OLD and NEW are tilescope programs; both compile the kernels of this tree. Prints a unified diff a kernel
instance that differs, then how many do. Exit code 1 if any does.
"""

import argparse
import concurrent.futures
import difflib
import os
import subprocess
import sys

import kernel_instances
import tree


def cuda_of(program, instance):
    """Lines of CUDA; what the program says instead if it refuses."""
    done = subprocess.run([program, "compile", *instance.arguments], cwd=tree.ROOT, capture_output=True, text=True)
    return (done.stdout if done.returncode == 0 else done.stderr).splitlines()


def diff_of(old, new, instance):
    return list(difflib.unified_diff(cuda_of(old, instance), cuda_of(new, instance),
                                     f"old: {instance.label}", f"new: {instance.label}", lineterm=""))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("kernels", nargs="*")
    options = parser.parse_args()
    old, new = os.path.abspath(options.old), os.path.abspath(options.new)
    instances, _ = kernel_instances.all_instances(options.kernels or kernel_instances.kernel_files())
    changed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for diff in pool.map(lambda instance: diff_of(old, new, instance), instances):
            changed += bool(diff)
            if diff:
                print("\n".join(diff) + "\n")
    print(f"{changed} of {len(instances)} kernel instances differ")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
