#!/usr/bin/env python3
"""Compiles real kernels from a checkout of TileLang's examples and compares shared bytes.

usage: corpus.py TILESCOPE EXAMPLES [--csv FILE] [--only PREFIX ...] [--target sm_80] [--run | --exec] [-v]

EXAMPLES is the folder `examples/` of a checkout outside this tree. The instances (which function,
which arguments) and the incumbent's bytes come from a CSV with the columns file, factory, args,
kwargs and sm_80_shared_bytes. With --run each kernel also runs on the GPU and is compared with the
reference. With --exec each runs on the CPU after every pass, four blocks of it, at a size that is made smaller
where the kernel takes that. Exit code 1 if an instance fails, or takes more shared memory than the incumbent.
"""
import argparse
import ast
import concurrent.futures
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

TENSOR = re.compile(r"<tensor \(([^)]*)\) (?:torch\.)?(\w+)>")


def function_named(tree, name):
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return node
    return None


def literal(value):
    tensor = TENSOR.fullmatch(value) if isinstance(value, str) else None
    if tensor:
        return f"({tensor.group(1)})"
    return value if isinstance(value, str) else repr(value)


def settings(path, factory, args, kwargs):
    """--set arguments: positional ones by the function's parameter names, tensors by their extents."""
    with open(path, encoding="utf-8") as file:
        function = function_named(ast.parse(file.read()), factory)
    if function is None:
        return []
    parameters = [a.arg for a in function.args.args]
    values = dict(zip(parameters, args)) | kwargs
    return [part for name, value in values.items() for part in ("--set", f"{name}={literal(value)}")]


def first_error(text):
    lines = [line for line in text.splitlines() if "error:" in line]
    return lines[0] if lines else (text.strip().splitlines() or ["no output"])[-1]


def launch_bytes(trace):
    """What the launches ask for: dynamic shared bytes, without those that only the launch knows."""
    with open(trace, encoding="utf-8") as file:
        records = [json.loads(line) for line in file if line.startswith('{"record":"launches"')]
    launches = [launch for record in records for launch in record["launches"]]
    counts = [launch.get("dynamicSharedBytes", "0") for launch in launches]
    return sum(int(count) for count in counts if count.isdigit())


def attempt(options, row):
    path = os.path.join(options.examples, row["file"])
    kernel = path + (":" + row["factory"] if row["factory"] else "")
    arguments = settings(path, row["factory"], json.loads(row["args"]), json.loads(row["kwargs"]))
    arguments += ["--target", options.target]
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "k.trace")
        command = [options.tilescope, "compile", kernel, *arguments, "-o", folder + "/k.cu",
                   "--trace", trace]
        compiled = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if compiled.returncode != 0:
            return {"row": row, "error": first_error(compiled.stderr), "command": command}
        result = {"row": row, "bytes": launch_bytes(trace), "command": command}
    if options.exec:
        result |= execute(options, kernel, arguments)
    if options.run:
        ran = subprocess.run([options.tilescope, "run", kernel, *arguments, "--check"],
                             capture_output=True, text=True, timeout=600)
        result["run"] = ran.stdout.strip().splitlines()[-1:] or [first_error(ran.stderr)]
        if ran.returncode != 0:
            result["error"] = "run: " + first_error(ran.stderr + ran.stdout)
    return result


def smaller(arguments):
    """Extents, such as M=4096, are cut; what counts heads, tiles or threads stays."""
    return [re.sub(r"^(\w+)=(\d{4,})$", lambda given: f"{given[1]}={256 + int(given[2]) % 256}", word) for word in arguments]


def execute(options, kernel, arguments):
    """What `exec` says, of the first size that it takes."""
    for given in (smaller(arguments), arguments):
        command = [options.tilescope, "exec", kernel, *given, "--every-pass", "--blocks", "4", "-j", "1"]
        try:
            ran = subprocess.run(command, capture_output=True, text=True, timeout=600)
        except subprocess.TimeoutExpired:
            return {"ran": "no answer in 600 seconds"}
        if ran.returncode == 0:
            return {"ran": "runs as written"}
        if ran.returncode == 1:
            stage = re.search(r"(?m)^(\S+).* (WRONG|not run)\b.*\n(.*(?:\n    .*)*)", ran.stdout)
            return {"ran": f"{stage[2]} after {stage[1]}: {stage[3].strip()}" if stage else ran.stdout[-300:],
                    "wrong": not stage or stage[2] == "WRONG", "command": command}
    return {"ran": "not run: " + first_error(ran.stderr)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("examples")
    parser.add_argument("--csv", default="../shared/bench/corpus/examples.csv")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--target", default="sm_80")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--exec", action="store_true")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    with open(options.csv, newline="", encoding="utf-8") as file:
        rows = [r for r in csv.DictReader(file)
                if not options.only or r["file"].startswith(tuple(options.only))]
    with concurrent.futures.ThreadPoolExecutor(1 if options.run else os.cpu_count()) as pool:
        results = list(pool.map(lambda row: attempt(options, row), rows))
    failed = larger = wrong = 0
    for result in results:
        row = result["row"]
        name = f"{row['file']}:{row['factory']}"
        theirs = int(row["sm_80_shared_bytes"]) if row["sm_80_shared_bytes"].isdigit() else None
        if "error" in result:
            failed += 1
            print(f"FAIL   {name}  {result['error']}")
            if options.verbose:
                print("       " + " ".join(result["command"]))
            continue
        is_larger = theirs is not None and result["bytes"] > theirs
        larger += is_larger
        print(f"{'LARGER' if is_larger else 'ok    '} {name}  {result['bytes']} bytes"
              f" (incumbent {theirs}) {' '.join(result.get('run', []))}{result.get('ran', '')}")
        wrong += result.get("wrong", False)
        if options.verbose and result.get("wrong"):
            print("       " + " ".join(result["command"]))
    print(f"{len(results) - failed} of {len(results)} instances compile; {larger} take more shared bytes")
    if options.exec:
        right = sum(result.get("ran") == "runs as written" for result in results)
        print(f"{right} run as written after every pass, {wrong} do not")
    return 1 if failed or larger or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
