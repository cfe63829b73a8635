#!/usr/bin/env python3
"""What TileLang's own front end makes of a kernel, and what ours does: the same IR up to names, after indices are
legalised and simplified. Run by `./dev peer` with the Python of .peer/, where TileLang is installed.

usage: check_door.py TILESCOPE [--only PREFIX ...] [--target sm_80] [--examples DIR --csv FILE]

Without --examples: every kernel instance of testdata/kernels and tests/door/inputs. With it: those of the list, of a checkout of TileLang's
examples outside this tree, with the columns of tests/tools/corpus_rows.py. A line an instance that fails, with the first lines
that differ, and a total. Exit code 1 if an instance differs; of the examples one may name what our IR does not have, or be
refused with the same error either way."""

import argparse
import collections
import contextlib
import csv
import functools
import io
import json
import keyword
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import tilelang.language as T
import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
import corpus_rows  # noqa: E402
import corpus_stages  # noqa: E402
import tilescope  # noqa: E402
from tilescope import door  # noqa: E402

PASSES = "legalize-indices,simplify"
# What their sources say in words that ours (core/frontend/own_modules.def) do not repeat: what is computed is compared.
OWN_MODULES = ["mma_macro_generator"]
WORD = re.compile(r'"[^"]*"|(?<![\w.])[A-Za-z_]\w*=?(?!=)|==')
IDENTITY = re.compile(r', (?:name|source|role)="[^"]*"|, ordinal=\d+')
BOUND = re.compile(r"for (.*) in T\.|with .* as \((.*?),?\):|(\w+): T\.")
GROUPED = re.compile(r" and \(([^()]* and [^()]*)\)(?! or )")
DECLARED = re.compile(r"\s*\w+ = T\.alloc_")


class Renamed:
    """A text with its names numbered in the order in which they are bound or first met."""

    def __init__(self):
        self.numbers, self.count = {}, 0

    def new(self, name):
        self.count += 1
        self.numbers[name] = f"x{self.count}"

    def line(self, line):
        line = IDENTITY.sub("", line)
        line = GROUPED.sub(lambda group: group[0] if " or " in group[1] else f" and {group[1]}", line)
        bound = BOUND.match(line.strip())
        for name in (bound[bound.lastindex].split(", ") if bound else []):
            self.new(name)
        return WORD.sub(self.word, line)

    def word(self, match):
        word = match[0]
        if word[-1] in '"=' or keyword.iskeyword(word) or word == "T":
            return word
        if word not in self.numbers:
            self.new(word)
        return self.numbers[word]


def renamed(text):
    """Buffers come last, in the order in which statements name them."""
    names, lines = Renamed(), text.splitlines()
    statements = [names.line(line) for line in lines if not DECLARED.match(line)]
    return statements + sorted(names.line(line) for line in lines if DECLARED.match(line))


def instances_of_testdata():
    for file in sorted([*(ROOT / "testdata" / "kernels").glob("*.py"), *(ROOT / "tests" / "door" / "inputs").glob("*.py")]):
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("# tilescope: "):
                function, *words = shlex.split(line.removeprefix("# tilescope: "))
                words = words[:words.index("--target")] if "--target" in words else words
                yield f"{file}:{function}", words, functools.partial(given_by_name, words)


def instances_of_examples(examples, list_):
    with open(list_, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            path = examples / row["file"]
            if not path.exists():
                continue
            if not row["factory"]:
                factory, named = corpus_rows.BARE.get(row["file"], ("", {}))
                yield (f"{path}:{factory}" if factory else str(path), corpus_rows.as_settings(named),
                       functools.partial(given_as_called, [], named))
                continue
            args, named = json.loads(row["args"]), json.loads(row["kwargs"])
            yield (f"{path}:{row['factory']}", corpus_rows.settings(path, row["factory"], args, named),
                   functools.partial(given_as_called, args, named))


def given_by_name(words, _):
    return door.settings(words[1::2])


def given_as_called(args, named, kernel):
    """Tensors without memory, types as they are given in a program, and tuples, which a list of JSON stands for."""
    def value(written):
        if isinstance(written, list):
            return tuple(written)
        if isinstance(written, str) and isinstance(getattr(T, written, None), type(T.float16)):
            return getattr(T, written)
        tensor = corpus_rows.TENSOR.fullmatch(written) if isinstance(written, str) else None
        if not tensor:
            return written
        return torch.empty([int(e) for e in tensor[1].split(",") if e.strip()], dtype=getattr(torch, tensor[2]), device="meta")

    signature = getattr(getattr(kernel, "jit_impl", kernel), "signature", None)
    bound = signature.bind_partial(*map(value, args)).arguments if signature else {}
    return bound | {name: value(written) for name, written in named.items()}


class Failed(Exception):
    """`kind` is what it is counted by."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


@contextlib.contextmanager
def modules_of_its_own(folder):
    """Files of different folders import modules of one name."""
    path = list(sys.path)
    try:
        yield
    finally:
        sys.path[:] = path
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None) or "").startswith(str(folder)):
                del sys.modules[name]


def through_the_door(kernel, arguments_of, target):
    try:
        with (contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()),
              modules_of_its_own(pathlib.Path(kernel).parent)):
            made = door.kernel_in_file(kernel, target)
            return tilescope.lower(made, target, **arguments_of(made))
    except door.NotLowered as error:
        raise Failed("missing", str(error.missing[0])) from error
    except (Exception, SystemExit) as error:
        last = (str(error).strip().splitlines() or [""])[-1]
        raise Failed("not elaborated by TileLang", f"{type(error).__name__}: {last}") from error


def run(program, kind, *arguments):
    command = [program, "opt", *arguments, "--passes", PASSES]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if result.returncode:
        raise Failed(kind, corpus_stages.first_error(result.stderr))
    return result.stdout


def check(target, given, kernel, words, arguments_of, folder):
    """Raises Failed unless both are the same."""
    written = folder / "door.ir"
    written.write_text(through_the_door(kernel, arguments_of, target), encoding="utf-8")
    command = kernel, *words, "--target", target
    try:
        theirs = run(given.tilescope, "not taken by the program", str(written))
    except Failed as refused:
        why = why_refused(given.tilescope, command)
        raise Failed("refused alike", why) if why == str(refused) else refused
    ours = run(given.tilescope, "only through the door", *command)
    if any(module in pathlib.Path(kernel.rpartition(":")[0]).read_text(encoding="utf-8") for module in OWN_MODULES):
        return compare_runs(given, str(written), command, folder)
    theirs, ours = renamed(theirs), renamed(ours)
    for number, (their, our) in enumerate(zip(theirs + [""] * len(ours), ours + [""] * len(theirs)), 1):
        if their != our:
            raise Failed("different", f"line {number}:\n    door {their.strip()}\n    ours {our.strip()}")


def targets_of(given):
    """Arguments of the examples' list were chosen on a Hopper GPU."""
    return [given.target, "sm_90a"] if given.examples else [given.target]


def check_for(targets, *given):
    """For the first of the targets that the kernel can be elaborated for."""
    for target in targets:
        try:
            return check(target, *given)
        except Failed as failed:
            if failed.kind != "not elaborated by TileLang" or target == targets[-1]:
                raise


def why_refused(program, command):
    """"" where our own front end's kernel is taken."""
    try:
        run(program, "", *command)
        return ""
    except Failed as failed:
        return str(failed)


def compare_runs(given, written, command, folder):
    """Raises Failed unless both compute the same from the same, on the CPU."""
    saved = folder / "theirs", folder / "ours"
    for place, words in zip(saved, ([written], command)):
        shutil.rmtree(place, ignore_errors=True)
        command = [given.tilescope, "exec", *words, "--blocks", "2", "--save", place]
        try:
            result = subprocess.run(command, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            raise Failed("too long to run", place.name) from None
        if result.returncode:
            raise Failed("not run", (result.stdout + result.stderr).strip()[-300:])
    for path in sorted(saved[1].iterdir()):
        if path.read_bytes() != (saved[0] / path.name).read_bytes():
            raise Failed("different", f"{path.name} of a run")


def class_of(missing):
    """Without the names of a kernel's own buffers."""
    return re.sub(r" \('\w+'\)|^'\w+', ", "", missing.what).strip(" ,")


def check_refused():
    """What has no counterpart is named at its line, and nothing else is."""
    file = ROOT / "tests" / "door" / "inputs" / "no_counterpart.py"
    lines = enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
    expected = {f"{file}:{number}: {line.partition('# no counterpart: ')[2]} has no counterpart in Tilescope yet"
                for number, line in lines if "  # no counterpart: " in line}
    found = set()
    for kernel in ("statements", "memory", "tables"):
        try:
            door.lower(door.kernel_in_file(f"{file}:{kernel}"))
        except door.NotLowered as error:
            found |= set(map(str, error.missing))
    return [f"expected: {text}" for text in sorted(expected - found)] + [f"found: {text}" for text in sorted(found - expected)]


def check_factories():
    """Functions without a decorator: what they return, compile or call is the kernel; what is none is said."""
    file = ROOT / "tests" / "door" / "inputs" / "factories.py"

    def text_of(function, **arguments):
        text = tilescope.lower(door.kernel_in_file(f"{file}:{function}"), n=128, **arguments)
        return [line for line in text.partition("def ")[2].partition("(")[2].replace(", output=True", "").splitlines()]

    expected = text_of("returned")
    findings = [f"{function} makes another kernel" for function in ("compiled", "called", "of_function", "handed_on", "on_gpu")
                if text_of(function) != expected]
    findings += [] if text_of("of_function", rows=16) == text_of("returned", rows=16) else ["an argument inside is not given"]
    for function, arguments, said in (("nothing", {}, "nothing makes no kernel: it returns int"),
                                      ("of_function", {"depth": 1}, "has no argument 'depth': it has n, rows")):
        try:
            text_of(function, **arguments)
            findings.append(f"{function} is taken")
        except tilescope.Problem as error:
            findings += [] if said in str(error) else [f"{function}: {error}"]
    return findings


def check_command(program, folder):
    """Through the command, the same CUDA, line comments of the kernel's file included; and what is wrong exits with 2."""
    file = str(ROOT / "testdata" / "kernels" / "gemm_relu.py")
    words = ["--set", "M=256", "--set", "N=256", "--set", "K=256", "--target", "sm_80"]
    command = [sys.executable, "-m", "tilescope", "compile", "--program", program]

    def run_command(*words):
        environment = os.environ | {"PYTHONPATH": str(ROOT / "python")}
        return subprocess.run(words, capture_output=True, text=True, env=environment)

    run_command(program, "compile", file, *words, "-o", folder / "ours.cu")
    run_command(*command, file, *words, "-o", folder / "door.cu")
    findings = [] if cuda_of(folder / "door.cu") == cuda_of(folder / "ours.cu") else ["the CUDA differs"]
    for wrong in ([file, "--set", "M=1"], [file + ":nothing"], ["no_such_file.py"],
                  [str(ROOT / "tests/door/inputs/no_counterpart.py:memory")],
                  [str(ROOT / "tests/door/inputs/factories.py:nothing"), "--set", "n=4"],
                  [file, "--set", "M=256"], [file, *words[:-1], "sm_99z"]):
        result = run_command(*command, *wrong)
        if result.returncode != 2 or "error: " not in result.stderr or "Traceback" in result.stderr:
            findings.append(f"{' '.join(wrong)}: exit code {result.returncode}: {result.stderr.strip()[-200:]}")
    return findings


def cuda_of(path):
    return path.read_text(encoding="utf-8") if path.exists() else path.name


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--target", default="sm_80")
    parser.add_argument("--examples", type=pathlib.Path)
    parser.add_argument("--csv", help="the instances of the examples")
    given = parser.parse_args()
    instances = instances_of_examples(given.examples, given.csv) if given.examples else instances_of_testdata()
    counts, equal, missing = collections.Counter(), 0, collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for kernel, words, arguments_of in instances:
            if given.only and not any(only in kernel for only in given.only):
                continue
            try:
                check_for(targets_of(given), given, kernel, words, arguments_of, pathlib.Path(folder))
                equal += 1
            except Failed as failed:
                counts[failed.kind] += 1
                if failed.kind == "missing":
                    missing.update({class_of(each) for each in failed.__cause__.missing})
                print(f"{failed.kind}: {kernel} {' '.join(words)}\n    {failed}", flush=True)
        findings = [] if given.examples else check_refused() + check_factories() + check_command(given.tilescope, pathlib.Path(folder))
    total = equal + sum(counts.values())
    for what, count in missing.most_common():
        print(f"{count:4} {what}")
    print("; ".join(f"{kind} {count}" for kind, count in counts.most_common()))
    for finding in findings:
        print(finding)
    print(f"door: {equal} of {total} equal, {counts['missing']} named operations that ops.def does not have, "
          f"{counts['refused alike']} refused with one error either way")
    explained = counts["missing"] + counts["refused alike"] if given.examples else 0
    return 0 if equal + explained == total and not findings else 1


if __name__ == "__main__":
    sys.exit(main())
