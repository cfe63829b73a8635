#!/usr/bin/env python3
"""Every kernel instance of testdata/kernels, at a small size, runs on the CPU after every pass as it does as written.

Usage: check_exec.py TILESCOPE [--all-targets] [KERNEL.py...]
A few blocks of each instance are run for one of its targets, taking turns, and for the others where what is emitted for
them is another kernel; with --all-targets, or TILESCOPE_LONG in the environment (`./dev test --long`), all blocks for each.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess

import kernel_instances
import tree

# What is larger is made smaller, to a size that tiles divide as well as, or as badly as, the size that was given.
LARGE = 384
# Of a kernel whose blocks wait for each other all are run.
NO_SAMPLE = "so a sample of them cannot be run"


def small(word):
    name, _, value = word.partition("=")
    if not value.isdigit() or int(value) < LARGE:
        return word
    return f"{name}={256 if int(value) % 256 == 0 else int(value) % 64 + 192}"


def run(tilescope, verb, arguments):
    return subprocess.run([tilescope, verb, *arguments], cwd=tree.ROOT, capture_output=True, text=True)


def arguments_of(instance):
    return [small(word) for word in instance.arguments]


def check(tilescope, instance, blocks):
    arguments = arguments_of(instance)
    command = [*arguments, *map(small, instance.run_arguments), "-j", "1", "--every-pass"]
    result = run(tilescope, "exec", [*command, *blocks])
    if NO_SAMPLE in result.stderr:
        result = run(tilescope, "exec", command)
    if result.returncode == 0:
        return []
    return [f"exec {' '.join(arguments)}: exit code {result.returncode}\n{(result.stdout + result.stderr)[-2000:]}"]


def final_ir(tilescope, instance):
    """What is emitted, without what names the target."""
    cuda = run(tilescope, "compile", [*arguments_of(instance), "--no-aliases"]).stdout
    return re.sub(r"(?m)^//.*$", "", cuda).replace(instance.target, "")


def others(tilescope, instances, chosen):
    """Of the targets that were not chosen those whose kernel is another."""
    seen = {}
    for instance in chosen:
        seen.setdefault(kernel_of(instance), set()).add(final_ir(tilescope, instance))
    for instance in instances:
        texts = seen[kernel_of(instance)]
        text = final_ir(tilescope, instance)
        if text not in texts:
            texts.add(text)
            yield instance


def kernel_of(instance):
    return tuple(word for word in instance.arguments if word != instance.target)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("kernels", nargs="*", default=kernel_instances.kernel_files())
    parser.add_argument("--all-targets", action="store_true", default=bool(os.environ.get("TILESCOPE_LONG")))
    args = parser.parse_args()
    instances, findings = kernel_instances.run_instances(args.kernels)
    first = instances if args.all_targets else kernel_instances.one_target_each(instances)
    second = list(others(args.tilescope, instances, first))
    blocks = [] if args.all_targets else ["--blocks", "2"]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(check, args.tilescope, instance, blocks) for instance in first + second]
        for job in jobs:
            findings += job.result()
    print(f"exec: {len(first)} instances after every pass, {len(second)} more for other targets")
    tree.finish("exec", findings)


if __name__ == "__main__":
    main()
