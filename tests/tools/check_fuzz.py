#!/usr/bin/env python3
"""Runs the fuzzers of tests/fuzz over seeds that are made from testdata.

usage: check_fuzz.py BIN [TARGET...] [--seconds N]

BIN is the folder of the programs. Each target is given a fixed number of inputs, the same ones in every run; with --seconds
it runs as long, and goes on from what it kept in build/fuzz/corpus the last time. An input that crashes it, hangs or is
reported by a sanitizer is kept in build/fuzz, and the command is printed that gives it to the target again. Exit code 1
then.
"""

import argparse
import collections
import difflib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import tree

KEPT = tree.ROOT / "build/fuzz"
GEMM = ["testdata/kernels/gemm_relu.py:matmul", "--set", "M=64", "--set", "N=64", "--set", "K=64", "--set", "block_M=32",
        "--set", "block_N=32"]
# Inputs of each in a run of fixed length: some seconds.
RUNS = {"kernel": 1500, "ir": 3000, "trace": 400, "pieces": 400, "csv": 8000, "patch": 20000}
# As the tests of the tree run: see CMakeLists.txt.
SANITIZERS = {"ASAN_OPTIONS": "allow_user_poisoning=0",
              "LSAN_OPTIONS": f"suppressions={tree.ROOT}/tests/leaks.supp:print_suppressions=0"}
LONGEST = {"kernel": 20_000, "ir": 20_000, "trace": 200_000, "pieces": 200_000, "csv": 5_000, "patch": 20_000}
# Words that a byte or two at a time would hardly become, beside those that the seeds have most often.
NUMBERS = ["-1", "65536", "2147483648", "4294967296", "17592186044416", "9223372036854775807", "-9223372036854775808",
           "18446744073709551616", "1e308", "0.0"]
REGISTRIES = {"kernel": ["core/frontend/builtins.def"],
              "ir": ["core/ops/ops.def", "core/ops/attrs.def", "core/ir/operators.def"],
              "trace": ["core/facets/facets.def"], "pieces": ["core/facets/facets.def"]}
WORDS_OF_SEEDS = 300
WRITTEN = re.compile(r"Test unit written to (\S+)")


def printed(tilescope, *arguments):
    return subprocess.run([tilescope, *arguments], cwd=tree.ROOT, env=os.environ | SANITIZERS, capture_output=True, text=True,
                          check=True).stdout


def kernel_seeds(_, folder):
    for path in (tree.ROOT / "testdata/kernels").glob("*.py"):
        shutil.copy(path, folder)


def ir_texts(tilescope):
    for name, passes in [("elaborated", ""), ("pipelined", "legalize-indices,simplify,plan-pipeline,inject-pipeline"),
                         ("lowered", "legalize-indices,simplify,plan-pipeline,inject-pipeline,infer-layouts,lower-tile-ops")]:
        yield name, printed(tilescope, "opt", *GEMM, "--passes", passes, "--tagged")


def ir_seeds(tilescope, folder):
    for name, text in ir_texts(tilescope):
        (folder / name).write_text(text)
    # Every operation.
    for path in (tree.ROOT / "tests/ops").glob("*.py"):
        shutil.copy(path, folder)


def trace_seeds(tilescope, folder):
    for path in (tree.ROOT / "testdata/traces").glob("*.trace"):
        if path.stat().st_size <= LONGEST["trace"]:
            shutil.copy(path, folder)
    printed(tilescope, "compile", *GEMM, "-o", "/dev/null", "--trace", folder / "gemm.trace")


def csv_seeds(tilescope, folder):
    (folder / "plan").write_text(printed(tilescope, "export", *GEMM, "--format", "minimalloc"))
    (folder / "gaps").write_text("id,lower,upper,size,alignment,gaps,versions,offset\na,0,9,64,16,3-5,2,\nb,2,4,32,8,,1,128\n")


def patch_seeds(tilescope, folder):
    for name, text in ir_texts(tilescope):
        lines = text.splitlines(keepends=True)
        edited = lines[:10] + [lines[10].replace("0", "1")] + lines[11:-1]
        label = "after elaborate"
        (folder / name).write_text(text + "\f" + "".join(difflib.unified_diff(lines, edited, label, label)))


SEEDS = {"kernel": kernel_seeds, "ir": ir_seeds, "trace": trace_seeds, "pieces": trace_seeds, "csv": csv_seeds,
         "patch": patch_seeds}


def words(target, seeds):
    """Lines of a dictionary of libFuzzer."""
    counted = collections.Counter()
    for path in sorted(seeds.iterdir()):
        counted.update(re.findall(r"[^\W\d]\w+|[^\w\s]{2,3}", path.read_text(errors="replace")))
    known = [word for word, _ in counted.most_common(WORDS_OF_SEEDS)]
    for registry in REGISTRIES.get(target, []):
        known += re.findall(r'"([^"\n]+)"', tree.text(registry))
    for word in dict.fromkeys(NUMBERS + known):
        yield '"' + "".join(f"\\x{byte:02x}" for byte in word.encode()) + '"\n'


def again(binary, errors):
    """The command that gives an input that is a finding to its target."""
    written = WRITTEN.search(errors)
    settings = shlex.join(f"{name}={value}" for name, value in SANITIZERS.items())
    return f"again: {settings} {shlex.join([str(binary), written.group(1)])}\n" if written else ""


def run(binaries, target, seconds):
    """A finding, or nothing."""
    with tempfile.TemporaryDirectory() as name:
        seeds, dictionary, binary = pathlib.Path(name, "seeds"), pathlib.Path(name, "words"), binaries / f"{target}_fuzz"
        # What was new is written to the first folder.
        corpus = KEPT / "corpus" / target if seconds else pathlib.Path(name, "corpus")
        seeds.mkdir()
        corpus.mkdir(parents=True, exist_ok=True)
        KEPT.mkdir(parents=True, exist_ok=True)
        SEEDS[target](binaries / "tilescope", seeds)
        dictionary.write_text("".join(words(target, seeds)))
        length = [f"-max_total_time={seconds}"] if seconds else [f"-runs={RUNS[target]}", "-seed=1"]
        command = [binary, *length, f"-max_len={LONGEST[target]}", "-timeout=120", "-rss_limit_mb=4096", f"-dict={dictionary}",
                   "-print_final_stats=1", f"-artifact_prefix={KEPT}/{target}_", corpus, seeds]
        done = subprocess.run(command, env=os.environ | SANITIZERS, capture_output=True, text=True, errors="replace")
    figures = [line for line in done.stderr.splitlines() if "number_of_executed_units" in line or "peak_rss" in line]
    print(f"{target}: {'; '.join(line.replace('stat::', '').replace(':', '') for line in figures)}", flush=True)
    if done.returncode == 0:
        return []
    return [f"{target}: exit code {done.returncode}\n{done.stderr[-3000:]}\n{again(binary, done.stderr)}"]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--seconds", type=int)
    given = parser.parse_args()
    unknown = [target for target in given.targets if target not in SEEDS]
    if unknown:
        sys.exit(f"no target {unknown[0]}: there are {', '.join(SEEDS)}")
    tree.finish("fuzz", [finding for target in given.targets or SEEDS for finding in run(given.bin, target, given.seconds)])


if __name__ == "__main__":
    main()
