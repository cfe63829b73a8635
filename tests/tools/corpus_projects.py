#!/usr/bin/env python3
"""Compiles the kernel factories of projects that others wrote, with arguments that the names of their parameters suggest.

usage: corpus_projects.py TILESCOPE FOLDER... [--jobs N] [--at-least STAGE=PERCENT ...]

Each FOLDER is a checkout outside this tree, and where imports are found. A factory is a function of the top level of a file
with a @T.prim_func inside of it, or a @tilelang.jit that launches. It is tried with several sizes and counts as far as the
best of them gets: elaborate, compile. Those that do not compile are printed with the message, then the counts. Exit code 1
if fewer pass than asked, or if a compile crashes or takes longer than a minute.
"""

import argparse
import ast
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess

SIZES = [(1024, 64), (256, 32), (128, 16), (512, 128), (64, 8), (32, 4), (16, 2), (4096, 128), (8, 1)]
TIMEOUT_SECONDS = 60
IMAGE_SIDES = r"(h|w|height|width|hi|wi|hin|win|din|[hwd]_in|in_[hw])"
# (parameter's name, annotation, value) in order; the first are of functions of images, or of one axis of a shape.
OF_IMAGES = [
    (r"k|[kp][dhwks]|ks|k_[dhw]|kernel|kernel_(size|[dhw])|pool|pool_(size|kernel|k)", "", "3"),
    (r"s|stride|pool_s|(stride|dil)_[dhw]|s[dhw]|dil|dilation|groups|p|pad|padding|pad_[dhw]", "(?!.*float)", "1"),
    (r"d|di|depth|d_in|din", "", "16"),
]
OF_SHAPES = [(r"(red(uce)?_)?dim|axis", "", "1")]
RULES = [
    (r".*acc.*dtype.*", "", "float32"),
    (r".*dtype.*", "", "float16"),
    (r"(trans_?b|b_trans).*", "", "True"),
    (r"transform_.*", "", "2"),
    (r"(is_|use_|has_|with_|trans|causal).*", "", "False"),
    (r".*", ".*bool", "False"),
    (r".*", ".*float", "0.5"),
    (r".*(eps|scale|slope|coef|inv_|momentum|scaling).*|alpha|beta|m(in|ax)_val|clamp_.*", "", "0.5"),
    (r"divisor|multiplier|constant|value|p", "", "0.5"),
    (r".*", ".*str", "float16"),
    (r".*", r".*Tuple\[int, int, int, int\]", "(2, 4, {small}, {small})"),
    (r".*shape.*", "", "({small}, {big})"),
    (r".*", ".*(tuple|list).*", "({small}, {big})"),
    (r".*thread.*", "", "128"),
    (r".*stage.*", "", "2"),
    (r".*block.*k|bk|b_k", "", "32"),
    (r".*block.*|b_.*|b[mn]", "", "64"),
    (r"(.*pad.*|stride|dilation|groups|s[dhwt]?|p[dhw]|stride_[hw]|dil|d[hw]?)", "", "1"),
    (r"kernel_(size|[hw])|k_?[dhw]|pool|pool_(size|k)|ksize|r", "", "3"),
    (r"batch|batch_size|b|bs", "", "{few}"),
    (r"(num_|n_)?heads|h_num|nhead", "", "8"),
    (IMAGE_SIDES + "|depth|[hw]_?out", "", "{small}"),
    (r".*", "", "{big}"),
]


def is_prim_func(node):
    return isinstance(node, ast.FunctionDef) and any("prim_func" in ast.unparse(d) for d in node.decorator_list)


def launches(function):
    return any(isinstance(node, ast.With) and any("T.Kernel" in ast.unparse(item.context_expr) for item in node.items)
               for node in ast.walk(function))


def factories(path):
    """(function, names of the kernels inside)"""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8", errors="replace"))
    except SyntaxError:
        return
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef):
            continue
        inner = [node.name for node in ast.walk(function) if node is not function and is_prim_func(node)]
        is_eager = any("jit" in ast.unparse(d) for d in function.decorator_list) and launches(function)
        if inner or is_prim_func(function) or is_eager:
            yield function, inner


def required(function):
    """The parameters without a default."""
    args = function.args
    positional = args.posonlyargs + args.args
    without = positional[:len(positional) - len(args.defaults)]
    return without + [arg for arg, default in zip(args.kwonlyargs, args.kw_defaults) if default is None]


def value_of(arg, rules, big, small):
    annotation = ast.unparse(arg.annotation) if arg.annotation else ""
    for name, note, value in rules:
        if re.fullmatch(name, arg.arg.lower().strip("_")) and re.match(note, annotation, re.IGNORECASE):
            return value.format(big=big, small=small, few=min(small, 4))
    return str(big)


def suggestions(function):
    """Lists of arguments, each once."""
    args = required(function)
    names = [arg.arg.lower() for arg in args]
    rules = list(RULES)
    if any(name in ("shape", "n", "rows") for name in names):
        rules = OF_SHAPES + rules
    if any(re.fullmatch(IMAGE_SIDES, name) for name in names):
        rules = OF_IMAGES + rules
    found = []
    for big, small in SIZES:
        words = [word for arg in args for word in ("--set", f"{arg.arg}={value_of(arg, rules, big, small)}")]
        if words not in found:
            found.append(words)
    return found


def run(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return 124, f"error: no answer in {TIMEOUT_SECONDS} seconds"
    return done.returncode, done.stderr


def message_of(text):
    return next((line.split("error:")[-1].strip() for line in text.splitlines() if "error:" in line), text[-200:])


def best_of(tilescope, folder, kernel, function):
    """(what passed, message): "compile", "elaborate", "" or "crash"."""
    best, message = "", ""
    for words in suggestions(function):
        code, text = run([tilescope, "compile", kernel, *words, "-o", os.devnull, "--python-path", folder])
        if code == 0:
            return "compile", ""
        if code not in (1, 2):
            return "crash", f"exit code {code}: {message_of(text)} ({' '.join(words[1::2])})"
        elaborated = run([tilescope, "opt", kernel, *words, "--passes", "", "--python-path", folder])[0] == 0
        if not message or (elaborated and not best):
            best, message = "elaborate" if elaborated else "", f"{message_of(text)} ({' '.join(words[1::2])})"
    return best, message


def try_one(tilescope, job):
    folder, path, function, inner = job
    result = best_of(tilescope, folder, f"{path}:{function.name}", function)
    if result[0] or "returns no" not in result[1]:
        return result
    tried = [best_of(tilescope, folder, f"{path}:{function.name}.{name}", function) for name in inner]
    return next((other for other in tried if other[0]), (tried or [result])[0])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--at-least", nargs="*", default=[], metavar="STAGE=PERCENT")
    options = parser.parse_args()
    jobs = [(folder, path, function, inner) for folder in options.folders
            for path in sorted(pathlib.Path(folder).rglob("*.py")) for function, inner in factories(path)]
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda job: try_one(options.tilescope, job), jobs)
        for (_, path, function, _), (passed, message) in zip(jobs, results):
            counts["elaborate"] += passed in ("elaborate", "compile")
            counts["compile"] += passed == "compile"
            counts["crash"] += passed == "crash"
            if passed != "compile":
                print(f"{path}:{function.name}: {passed or 'not elaborated'}: {message}", flush=True)
    is_enough = not counts["crash"]
    for stage in ("elaborate", "compile"):
        print(f"{stage}: {counts[stage]} of {len(jobs)} ({100 * counts[stage] / max(len(jobs), 1):.1f} %)")
        least = dict(word.split("=") for word in options.at_least).get(stage, "0").rstrip("%")
        is_enough &= 100 * counts[stage] >= float(least) * len(jobs)
    return 0 if is_enough else 1


if __name__ == "__main__":
    raise SystemExit(main())
