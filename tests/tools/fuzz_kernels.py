#!/usr/bin/env python3
"""Compiles broken variants of the kernels of testdata, and names those that end in no diagnostic.

usage: fuzz_kernels.py TILESCOPE [ROUNDS] [--seed N] [--jobs N] [--keep FOLDER] [--examples DIR --csv LIST]

Each round changes a few lines or tokens of a kernel file, or a number or word of its arguments. Its compile may
succeed (exit code 0) or say what is wrong (2); anything else, or more than five seconds of computing, is a finding, and
the variant is kept in FOLDER with its arguments as the last line. Exit code 1 if there are findings. With --examples the
kernels are those of a checkout of TileLang's examples (corpus_rows.py).
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import tempfile

import corpus_rows
import kernel_instances
import tree

TIMEOUT_SECONDS = 5
TOKEN = re.compile(r"[^\S\n]+|\w+|//|\*\*|.", re.DOTALL)
NUMBERS = ["0", "1", "-1", "3", "7", "100", "2147483648", "9223372036854775807", "(1 << 40)", "0.5", "None"]


def change_lines(text, chance):
    lines = text.split("\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    kind = chance.choice(["delete", "repeat", "swap"])
    if kind == "delete":
        del lines[at]
    elif kind == "repeat":
        lines.insert(other, lines[at])
    else:
        lines[at], lines[other] = lines[other], lines[at]
    return "\n".join(lines)


def change_token(text, chance):
    """Replaces a token by one of its kind, a number by a strange one, or any token by any."""
    tokens = TOKEN.findall(text)
    places = [i for i, token in enumerate(tokens) if token.strip()]
    numbers = [i for i in places if tokens[i].isdigit()]
    words = [i for i in places if tokens[i].isidentifier()]
    kind = chance.choice(["word", "word", "number", "number", "delete", "repeat", "any"])
    at = chance.choice({"word": words, "number": numbers}.get(kind, places))
    if kind == "word":
        tokens[at] = tokens[chance.choice(words + numbers)]
    elif kind == "number":
        tokens[at] = chance.choice(NUMBERS)
    elif kind == "delete":
        tokens[at] = ""
    elif kind == "repeat":
        tokens[at] += " " + tokens[at]
    else:
        tokens[at] = tokens[chance.choice(places)]
    return "".join(tokens)


def mutate(text, chance):
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        change = chance.choice([change_lines, change_token, change_token, change_token])
        text = change(text, chance)
    return text


def without_header(text):
    """The code alone: a change of a comment or of the doc string tests nothing."""
    return text[text.index("import tilelang"):]


def limit_computing():
    resource.setrlimit(resource.RLIMIT_CPU, (TIMEOUT_SECONDS, TIMEOUT_SECONDS + 1))


def compile_variant(tilescope, path, arguments):
    """What is wrong with how the compile ended, or None."""
    done = subprocess.run([tilescope, "compile", path, *arguments, "-o", os.devnull],
                          capture_output=True, preexec_fn=limit_computing, check=False)
    if done.returncode in (0, 2):
        return None
    if done.returncode == -signal.SIGXCPU:
        return f"no answer in {TIMEOUT_SECONDS} seconds"
    return f"exit code {done.returncode}: {done.stderr.decode(errors='replace')[:300]}"


def change_arguments(arguments, chance):
    """Another value in one `--set NAME=VALUE`."""
    places = [i for i, word in enumerate(arguments) if "=" in word]
    if not places:
        return arguments
    changed = list(arguments)
    at = chance.choice(places)
    name, _, value = changed[at].partition("=")
    other = chance.choice([*NUMBERS, "float16", "int8", "-" + value, 2 * value, value[:-1], f"({value},)"])
    changed[at] = f"{name}={other}"
    return changed


def run_round(options, instances, number):
    chance = random.Random(options.seed * 1_000_003 + number)
    kernel, *arguments = chance.choice(instances)
    file, _, function = kernel.partition(":")
    text = without_header(tree.text(file))
    if chance.random() < 0.2:
        arguments = change_arguments(arguments, chance)
    else:
        text = mutate(text, chance)
    with tempfile.NamedTemporaryFile("w", suffix=".py") as variant:
        variant.write(text)
        variant.flush()
        problem = compile_variant(options.tilescope, f"{variant.name}:{function}", arguments)
    if problem is None:
        return None
    kept = pathlib.Path(options.keep) / f"{options.seed}_{number}.py"
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(f"{text}\n# {function} {' '.join(arguments)}\n")
    return f"{kept}: {problem}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("rounds", nargs="?", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", default="build/fuzz")
    parser.add_argument("--examples")
    parser.add_argument("--csv", default="../shared/bench/corpus/examples.csv")
    options = parser.parse_args()
    if options.examples:
        rows = corpus_rows.read(options.csv, options.examples, "sm_80", [])
        instances = [[row.kernel, *row.arguments, "--target", row.target, "--python-path", os.path.dirname(row.kernel)] for row in rows]
    else:
        found, _ = kernel_instances.all_instances(kernel_instances.kernel_files())
        instances = [instance.arguments for instance in found]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rounds = pool.map(lambda number: run_round(options, instances, number), range(options.rounds))
        tree.finish("fuzz", [finding for finding in rounds if finding])


if __name__ == "__main__":
    main()
