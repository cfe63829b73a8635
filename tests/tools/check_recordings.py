#!/usr/bin/env python3
"""Programs that compile with TileLang, recorded whole by TILESCOPE_RECORD and by tilescope.record: what lies in the folder,
what the program prints and what it says at its end. Run by `./dev peer` with the Python of .peer/; needs nvcc, no GPU.

Usage: check_recordings.py TILESCOPE"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BEGIN = "import tilescope.start\n"  # what tilescope.pth does where the package is installed
KERNEL = """
import sys
sys.path.insert(0, "testdata/kernels")
import tilelang
from gemm_relu_lazy import matmul
matmul.target = {"kind": "cuda", "arch": "sm_80"}
def compile_one(**more):
    kernel = matmul(M=64, N=64, K=64, block_M=64, block_N=64, **more)
    print(kernel.get_kernel_source())
"""
TWO = KERNEL + "compile_one(num_stages=2)\ncompile_one(num_stages=1)\n"
# Four configs that compile, each of which then fails for want of a GPU, and one that does not compile. What the tuner logs
# lies in its current folder. Its own run knows no groups; an AutoTuner takes them, also with a plain function.
TUNED = KERNEL + """
import os
os.chdir(os.environ["TILELANG_CACHE_DIR"])
configs = [dict(block_M=64, block_N=n, num_stages=s) for n in (32, 64) for s in (1, 2)] + [dict(block_M=7, block_N=32, num_stages=1)]
tuned = tilelang.autotune(configs=configs, warmup=1, rep=1, timeout=5)(matmul)
def survived(run):
    try:
        run()
    except RuntimeError as error:
        print(error)
"""
ALONE = TUNED + "survived(lambda: tuned(M=64, N=64, K=64))\n"
GROUPED = TUNED + """
tuner = tuned.get_tunner()
def elaborate(**config):
    config.pop("__pass_configs__", None)
    return matmul.get_tir(M=64, N=64, K=64, **config)
tuner.jit_elaborate = elaborate
survived(lambda: tuner.run(enable_grouped_compile=True, group_compile_size=3))
"""
# Its text must lie in a file.
SCALE = """
import tilelang.language as T
def scale(block):
    if block == 5:
        raise ValueError("no such block")
    @T.prim_func
    def main(A: T.Tensor((64, 64), "float16")):
        with T.Kernel(64 // block, threads=32) as bx:
            for i, j in T.Parallel(block, 64):
                A[bx * block + i, j] = A[bx * block + i, j] * 2
    return main
"""
PLAIN = TUNED + """
from tilelang.autotuner import AutoTuner
sys.path.insert(0, os.getcwd())
from scale import scale
tuner = AutoTuner.from_kernel(kernel=scale, configs=[dict(block=8), dict(block=16), dict(block=5),
    dict(block=8, pass_configs={"tl.disable_tma_lower": True})])
tuner.set_compile_args(target=matmul.target)
survived(lambda: tuner.run(warmup=1, rep=1, timeout=5, enable_grouped_compile=GROUPED))
"""


class Runs:
    """Programs run in a scratch folder with a cache of TileLang's own."""

    def __init__(self, scratch):
        self.scratch = scratch

    def environment(self, folder, cache, **more):
        given = {"TILESCOPE_RECORD": str(folder), "PYTHONPATH": str(ROOT / "python"),
                 "TILELANG_CACHE_DIR": str(self.scratch / cache), **more}
        return os.environ | {name: value for name, value in given.items() if value}

    def run(self, program, folder, cache, **more):
        begin = BEGIN if folder else ""
        return subprocess.run([sys.executable, "-c", begin + program], cwd=ROOT, capture_output=True, text=True,
                              env=self.environment(folder, cache, **more))


def cuda_of(run):
    """Of both kernels, in any order; without TileLang's own words, which have the time of day."""
    return sorted(line for line in run.stdout.splitlines() if "[TileLang:" not in line)


def traces_in(folder):
    return sorted(path.name for path in folder.glob("*.trace"))


def entries_of(folder):
    return json.loads((folder / "index.json").read_text(encoding="utf-8"))["instances"]


def left_over(folder):
    """Files that are half-written."""
    return [path.name for path in folder.glob(".*") if path.name != ".lock"]


def check_two_compiles(runs, tilescope):
    """The same traces by name whatever the caches hold and in which order they are compiled."""
    plain, first = runs.run(TWO, "", "empty"), runs.run(TWO, runs.scratch / "first", "cache")
    yield cuda_of(plain) == cuda_of(first) and first.returncode == 0, f"the program prints something else:\n{first.stderr}"
    names = traces_in(runs.scratch / "first")
    yield len(names) == 2, f"not two traces: {names}"
    yield all(name in first.stderr for name in names), f"the table at the end does not name {names}:\n{first.stderr}"
    for name in names:
        show = subprocess.run([tilescope, "show", "passes", runs.scratch / "first" / name], capture_output=True, text=True)
        yield show.returncode == 0, f"show passes {name}: {show.stderr}"

    hits = runs.run(KERNEL + "compile_one(num_stages=2)\n", runs.scratch / "hits", "cache")
    yield traces_in(runs.scratch / "hits") == [], "a hit is recorded as a compile"
    yield "disk cache hit" in hits.stderr, f"a hit of the disk's cache is not named:\n{hits.stderr}"
    yield [entry["cache"] for entry in entries_of(runs.scratch / "hits")] == ["disk"], "the index names no hit"

    again = runs.run(KERNEL + "compile_one(num_stages=1)\ncompile_one(num_stages=2)\n", runs.scratch / "again", "cache", TILESCOPE_RECORD_REBUILD="1")
    yield traces_in(runs.scratch / "again") == names, f"rebuilt under other names:\n{again.stderr}"
    yield cuda_of(again) == cuda_of(plain), "rebuilt, the program prints something else"


def check_processes_and_threads(runs, _):
    program = KERNEL + """
import multiprocessing
matmul.par_compile([dict(M=64, N=64, K=64, block_M=64, block_N=64, block_K=k) for k in (16, 32)])
child = multiprocessing.get_context("fork").Process(target=compile_one, kwargs={"num_stages": 4})
child.start()
child.join()
"""
    run = runs.run(program, runs.scratch / "processes", "processes")
    names = traces_in(runs.scratch / "processes")
    yield len(names) == 3, f"not three traces, of two threads and a child: {names}\n{run.stderr}"
    yield sorted(entry["trace"] for entry in entries_of(runs.scratch / "processes")) == names, "the index has others"
    yield all(name in run.stderr for name in names), f"the child ends without its table:\n{run.stderr}"


def check_two_programs(runs, _):
    folder = runs.scratch / "both"
    both = [subprocess.Popen([sys.executable, "-c", BEGIN + KERNEL + f"compile_one(num_stages={n})"], cwd=ROOT,
                             env=runs.environment(folder, f"both{n}"), stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL) for n in (1, 2)]
    yield [run.wait() for run in both] == [0, 0], "a program failed"
    yield len(traces_in(folder)) == 2 and len(entries_of(folder)) == 2, "two programs do not share a folder"
    yield left_over(folder) == [], f"half-written: {left_over(folder)}"


def check_failures(runs, _):
    """A kernel that raises while it is built, and one that TileLang refuses."""
    program = KERNEL + """
for more in ({"block_K": 7}, {"threads": "many"}):
    try:
        compile_one(**more)
    except Exception as error:
        print(type(error).__name__)
print("goes on")
"""
    run = runs.run(program, runs.scratch / "failures", "failures")
    yield run.stdout.endswith("goes on\n") and run.returncode == 0, f"the program stops: {run.stdout}{run.stderr}"
    yield run.stderr.count("failed: ") == 2, f"the failures are not named:\n{run.stderr}"


def check_interrupt(runs, _):
    """Ctrl+C while the program waits: what was compiled is there."""
    folder = runs.scratch / "interrupted"
    # A shell that starts this in its background has told it to ignore Ctrl+C.
    program = BEGIN + KERNEL + """
import signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)
compile_one(num_stages=1)
print("waits", flush=True)
time.sleep(600)
"""
    run = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, text=True, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, env=runs.environment(folder, "interrupted"))
    while "waits" not in (run.stdout.readline() or "waits"):
        pass
    run.send_signal(signal.SIGINT)
    _, said = run.communicate()
    yield run.returncode == -signal.SIGINT, f"ends with {run.returncode}"
    yield len(traces_in(folder)) == 1 and left_over(folder) == [], f"{traces_in(folder)} {left_over(folder)}\n{said}"


def check_one_kernel(runs, tilescope):
    """`record -o` makes folders: of a trace, and one for a trace, which it says then."""
    command = [sys.executable, "-m", "tilescope", "record", "testdata/kernels/gemm_relu_lazy.py:matmul",
               *(word for name in "MNK" for word in ("--set", f"{name}=1024"))]
    for output, written, is_said in (("new/of/matmul.trace", "new/of/matmul.trace", False), ("other/new/", "other/new/matmul-sm_80.trace", True),
                                     ("other", "other/matmul-sm_80.trace", True)):
        trace = runs.scratch / "one" / written
        run = subprocess.run([*command, "-o", f"{runs.scratch}/one/{output}"], cwd=ROOT, capture_output=True, text=True,
                             env=runs.environment("", "one"))
        yield run.returncode == 0 and trace.is_file(), f"-o {output}: {run.stderr}"
        yield (run.stdout == f"{trace}\n") == is_said, f"-o {output}: it says {run.stdout}"
        shown = subprocess.run([tilescope, "show", "passes", trace], capture_output=True, text=True)
        yield "matmul for sm_80" in shown.stdout, f"-o {output}: {shown.stdout}{shown.stderr}"


def check_bad_folders(runs, _):
    """A folder that cannot be, and files that cannot be written: said once, and the program goes on."""
    run = runs.run(TWO, "/dev/null/traces", "cache")
    yield run.returncode == 0 and "nothing is recorded into /dev/null/traces" in run.stderr, run.stderr
    limit = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
    folder = runs.scratch / "full"
    plain = 'open("/dev/null", "w")\n'
    program = KERNEL + limit + plain + """
try:
    compile_one(num_stages=3)
except Exception as error:
    print(type(error).__name__)
print("goes on")
"""
    run = runs.run(program, folder, "full", TILELANG_DISABLE_CACHE="1", TMPDIR="/tmp")
    yield run.stdout.endswith("goes on\n"), f"the program stops:\n{run.stderr}"
    yield traces_in(folder) == [] and left_over(folder) == [], f"half-written: {traces_in(folder)} {left_over(folder)}"
    yield "cannot write into" in run.stderr, f"no word of it:\n{run.stderr}"
    yield "nothing was compiled" not in run.stderr, f"it was compiled:\n{run.stderr}"


def check_mounts(runs, _):
    """A folder that can be read alone, and a disk that is full before the trace is whole, each a file system of its own: root
    writes where permissions forbid it."""
    program = BEGIN + KERNEL + 'compile_one(num_stages=3)\nprint("goes on")\n'
    for name, options, said in (("read-only", "ro", "nothing is recorded into"), ("small", "size=16k", "cannot write into")):
        place = runs.scratch / name
        place.mkdir()
        words = ["unshare", "--mount", "--map-root-user", "sh", "-c",
                 'mount -t tmpfs -o "$1" none "$2" && "$3" -c "$4"; code=$?; ls -A "$2"; exit $code', "sh", options, str(place),
                 sys.executable, program]
        run = subprocess.run(words, cwd=ROOT, capture_output=True, text=True,
                             env=runs.environment(place, f"{name}-cache"))
        printed, _, left = run.stdout.partition("goes on\n")
        yield run.returncode == 0 and "__global__" in printed, f"{name}: the program stops:\n{run.stderr}"
        yield said in run.stderr and "Traceback" not in run.stderr, f"{name}: no word of it:\n{run.stderr}"
        yield set(left.split()) <= {".lock", "index.json"}, f"{name}: half-written: {left}"


def check_corrupt_cache(runs, _):
    """Of TileLang, which compiles again what it cannot read: recorded as any compile. And an index that is none."""
    folder = runs.scratch / "corrupt"
    program = KERNEL + "compile_one(num_stages=1)\n"
    plain = runs.run(program, "", "corrupt-cache")
    for path in (runs.scratch / "corrupt-cache").rglob("*"):
        if path.is_file():
            path.write_text("not what it was", encoding="utf-8")
    folder.mkdir()
    (folder / "index.json").write_text('{"instances": [3', encoding="utf-8")
    run = runs.run(program, folder, "corrupt-cache")
    yield run.returncode == 0 and cuda_of(run) == cuda_of(plain), f"the program ends otherwise:\n{run.stderr}"
    yield len(traces_in(folder)) == 1 and len(entries_of(folder)) == 1, f"not recorded:\n{run.stderr}"


def check_block(runs, _):
    program = KERNEL + f"""
import tilescope
with tilescope.record({str(runs.scratch / "block")!r}):
    compile_one(num_stages=1)
compile_one(num_stages=2)
"""
    run = runs.run(program, "", "block")
    yield len(traces_in(runs.scratch / "block")) == 1, f"not the one compile of the block:\n{run.stderr}"


def check_autotuned(runs, tilescope):
    """A trace a config, under the same name whether the tuner compiles them one by one or several as one module."""
    found = {}
    for name, program in (("alone", ALONE), ("grouped", GROUPED)):
        (runs.scratch / name).mkdir()
        folder = runs.scratch / f"tuned-{name}"
        run = runs.run(program, folder, name)
        found[name] = traces_in(folder)
        yield run.returncode == 0 and "Auto-tuning failed" in run.stdout, f"{name}: the program ends early:\n{run.stderr}"
        yield len(found[name]) == 5, f"{name}: not five traces: {found[name]}"
        yield all(trace in run.stderr for trace in found[name]), f"{name}: the table lacks traces:\n{run.stderr}"
        yield run.stderr.count("  failed: ") == 1 and "M=64 N=64 K=64 block_M=7" in run.stderr, f"{name}:\n{run.stderr}"
        sound = [entry["trace"] for entry in entries_of(folder) if entry.get("sound") == "yes"]
        yield len(sound) == 4, f"{name}: not four sound traces: {sound}"
        for trace in sound:
            find = subprocess.run([tilescope, "find", folder / trace, 'cuda "__syncthreads"'], capture_output=True, text=True)
            yield find.returncode == 0, f"{name}: the CUDA of {trace} is of no statement: {find.stdout}{find.stderr}"
    yield found["alone"] == found["grouped"], f"other names in a group: {found}"


def check_autotuned_functions(runs, _):
    """What makes a PrimFunc without TileLang's decorator, one config a trace, alone and in groups."""
    found = []
    for grouped in (False, True):
        name = f"plain-{grouped}"
        (runs.scratch / name).mkdir()
        (runs.scratch / name / "scale.py").write_text(SCALE, encoding="utf-8")
        run = runs.run(f"GROUPED = {grouped}" + PLAIN, runs.scratch / f"tuned-{name}", name)
        found.append(traces_in(runs.scratch / f"tuned-{name}"))
        words = [trace.removeprefix("scale-").rpartition("-")[0] for trace in found[-1]]
        yield words == ["block16-sm_80", "block8-pass_configs-tl.disable_tma_lower-True-sm_80", "block8-sm_80"], found[-1]
        yield "failed: ValueError: no such block" in run.stderr, f"a config that raises is not named:\n{run.stderr}"
    yield found[0] == found[1], f"other names in a group: {found}"


CHECKS = [check_two_compiles, check_processes_and_threads, check_two_programs, check_failures, check_interrupt,
          check_one_kernel, check_bad_folders, check_mounts, check_corrupt_cache, check_block, check_autotuned, check_autotuned_functions]


def main():
    findings = 0
    with tempfile.TemporaryDirectory() as scratch:
        for check in CHECKS:
            began = time.perf_counter()
            wrong = [text for holds, text in check(Runs(pathlib.Path(scratch)), sys.argv[1]) if not holds]
            findings += len(wrong)
            print(f"{check.__name__.removeprefix('check_')}: {'ok' if not wrong else 'WRONG'} "
                  f"({time.perf_counter() - began:.0f} s)", *wrong, sep="\n  ", flush=True)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
