#!/usr/bin/env python3
"""Launches the kernels of testdata for sm_90a a thousand times each on this machine's GPU, with seeded naps before whatever
threads wait for or tell each other, and compares each launch with the first, which has none: no hang, no other value.

usage: gpu_stress.py TILESCOPE [--launches 1000] [--only REGEX] [--sets default,...] [--sanitize memcheck,...]
       [--work FOLDER] [--jobs N] [--children N] [--until SECONDS]

A case is an instance (tests/tools/kernel_instances.py, and SIZES here) with a set of pass options (SETS); one whose CUDA is that
of an earlier set is left out. `tilescope exec` runs two blocks of it first, or all where blocks add to what others write or take
tile after tile: what fails there is not launched, and the first launch is held against what these write. Naps are put into the
emitted CUDA by a text edit; a device variable is their seed. A child process launches (launched_case.py); where it says nothing
for LIMIT_SECONDS it is ended, which is a hang, and another goes on. With --sanitize each case of the set `default` is also
launched once, without naps, under tools of compute-sanitizer. No case is begun after --until seconds; those are named.
Needs a GPU, nvcc and numpy; not part of the tests.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/golden"), str(ROOT / "tests/tools")]
import build  # noqa: E402
import kernel_instances  # noqa: E402
import launched_case  # noqa: E402

CHILD = [sys.executable, launched_case.__file__]
LIMIT_SECONDS = 60  # of a child that says nothing; it speaks ten times a case
ROLES_AND_MORE = ("plan-pipeline.overlap-products=true", "split-masks.branch=true", "inject-pipeline.blocks=4",
                  "inject-pipeline.tile-slots=2", "split-roles.warp-groups=true")
SETS = {
    "default": (),
    "tiles": ROLES_AND_MORE[2:3],
    "ahead": ROLES_AND_MORE,
    "tma": ("inject-pipeline.roles=false", "inject-pipeline.tma=true", "infer-layouts.tma-stores=true"),
}
# Fewer trips than slots, as many, more; whole tiles for a few blocks.
SIZES = [f"testdata/kernels/gemm_relu.py:matmul --set M=512 --set N=512 --set K={trips * 32} --set num_stages=3"
         for trips in (1, 2, 3, 4, 6, 7)]
SIZES += [f"testdata/kernels/attention_fwd.py:attention --set heads=4 --set length={trips * 64} --set dim=64 "
          "--set block_M=128 --set threads=256 --set num_stages=2" for trips in (2, 4, 6, 10)]

NAPPING = re.compile(r"^(__device__ __forceinline__ void (?:mbarrier_(?:arrive|expect|arrive_expect|wait)|tma_(?:load|store)_\w+|"
                     r"fence_proxy_async|barrier_sync|barrier_arrive)\([^;{]*\) \{)", re.MULTILINE)
ROLE = re.compile(r"^( *(?:\} )?(?:else )?if \(warp_tx .*\{)$", re.MULTILINE)
KERNEL = re.compile(r"^(?:extern \"C\" )?__global__ [^;{]*\{$", re.MULTILINE)
NAPS = """
// 0: nobody naps.
static __device__ volatile unsigned nap_seed;
extern "C" cudaError_t set_nap_seed(unsigned seed, cudaStream_t stream) {
  return cudaMemcpyToSymbolAsync(nap_seed, &seed, sizeof(seed), 0, cudaMemcpyHostToDevice, stream);
}
// A quarter of the time up to 4 us, the same for a warp; without a branch, which would have ptxas wait for each wgmma.
__device__ __forceinline__ void nap(unsigned site) {
  const unsigned seed = nap_seed;
  unsigned bits = seed * 0x9e3779b9u ^ site * 0x85ebca6bu ^ blockIdx.x * 0xc2b2ae35u ^ blockIdx.y * 0x27d4eb2fu ^
                  blockIdx.z * 0x165667b1u ^ threadIdx.x / 32 * 0xd3a2646cu ^ unsigned(clock64() >> 10);
  bits = (bits ^ bits >> 15) * 0x2c1b3c6du;
  bits = (bits ^ bits >> 12) * 0x297a2d39u;
  bits ^= bits >> 15;
  __nanosleep(seed != 0 && bits % 4 == 0 ? 1u << (bits >> 8) % 13 : 0);
}
__device__ __forceinline__ void sync_after_nap() {
  nap(0);
  __syncthreads();
}
"""


@dataclasses.dataclass
class Case:
    name: str
    options: str  # of SETS
    compiled: list  # arguments of the compile
    run: list  # and of the run alone
    folder: pathlib.Path
    trouble: str = ""
    note: str = ""  # what ptxas says of wgmma

    @property
    def arguments(self):
        return [*self.compiled, *self.run]


# ---- Preparing: run on the CPU, compiled, with naps, built


def cases_of(options):
    files = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("testdata/kernels/*.py"))
    instances, _ = kernel_instances.run_instances(files)
    chosen = [([*line.split(), "--target", "sm_90a"], []) for line in SIZES]
    chosen += [(one.arguments, one.run_arguments) for one in instances if one.target == "sm_90a"]
    for number, (compiled, run) in enumerate(chosen):
        name = " ".join([*compiled, *run])
        for noise in ("testdata/kernels/", " --target sm_90a", "--set "):
            name = name.replace(noise, "")
        if re.search(options.only, name):
            yield [Case(name, key, [*compiled, *[word for option in SETS[key] for word in ("--pass-option", option)]], run,
                        options.work / f"{number}-{key}") for key in options.sets]


def with_naps(text):
    sites = iter(range(1, 100000))
    text = text.replace("__syncthreads();", "sync_after_nap();")
    for pattern in (NAPPING, ROLE, KERNEL):
        text = pattern.sub(lambda match: f"{match.group()} nap({next(sites)});", text)
    head = re.search(r"^(?:__device__|template|extern|static|struct|using|__global__)", text, re.MULTILINE).start()
    return text[:head] + NAPS + text[head:]


def scalars_of(arguments, said):
    """By name, of --dim and of what exec says that it has chosen."""
    given = dict(word.split("=", 1) for before, word in zip(arguments, arguments[1:]) if before == "--dim")
    chosen = re.search(r"known only at launch, chosen here: (.*) \(--dim\)", said)
    return dict(re.findall(r"(\w+)=([^,\s]+)", chosen.group(1)) if chosen else []) | given


def run_on_cpu(options, case, text):
    """What is wrong; writes the tensors of the case. `text`: its CUDA."""
    command = [options.tilescope, "exec", *case.arguments, "-j", "1", "--save", case.folder]
    needs_all = "inject-pipeline.blocks=4" in case.arguments or launched_case.ATOMICS.search(text)
    tries = [command] if needs_all else [[*command, "--blocks", "2"], command]
    for words in tries:
        try:
            done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=options.exec_seconds)
        except subprocess.TimeoutExpired:
            return f"not run: exec takes more than {options.exec_seconds} s"
        if done.returncode != 2:  # 2: blocks that wait for one another run together
            break
    (case.folder / "scalars.json").write_text(json.dumps(scalars_of(case.arguments, done.stderr)))
    return f"exec: {(done.stdout + done.stderr)[:600]}" if done.returncode else ""


def prepare(options, group):
    """Yields the cases of one instance, one for each text of CUDA."""
    texts = set()
    for case in group:
        case.folder.mkdir(parents=True, exist_ok=True)
        made = subprocess.run([options.tilescope, "compile", *case.compiled, "-o", "-"], cwd=ROOT, capture_output=True,
                              text=True)
        if made.returncode:
            case.trouble = f"compile: {made.stderr[:300]}"
            yield case
            continue
        body = "\n".join(line for line in made.stdout.splitlines() if not line.startswith("//"))
        if body in texts:
            continue
        texts.add(body)
        case.trouble = run_on_cpu(options, case, made.stdout) or built(case, made.stdout)
        yield case


def built(case, text):
    source = case.folder / "kernel.cu"
    source.write_text(with_naps(text))
    fast = ["--use_fast_math"] * ("--use_fast_math" in text.splitlines()[0])
    made = subprocess.run([build.find_nvcc(), "-std=c++17", "-gencode", "arch=compute_90a,code=sm_90a", "-shared", "-Xcompiler",
                           "-fPIC", "-lineinfo", *fast, source, "-o", source.with_suffix(".so")], capture_output=True, text=True)
    case.note = " ".join(sorted(set(re.findall(r"C75\d\d", made.stdout + made.stderr))))
    return f"nvcc: {(made.stdout + made.stderr).strip()[-300:]}" if made.returncode else ""


# ---- Launching, in children


class Child:
    def __init__(self, options):
        self.process = subprocess.Popen([*CHILD, str(options.launches)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)

    def end(self):
        self.process.kill()
        self.process.wait()

    def verdict(self, folder):
        """'right', or what is wrong; after that the child may be gone."""
        try:
            self.process.stdin.write(f"{folder}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return f"FAILS: exit code {self.process.wait()} before it was asked"
        says = "nothing"
        while True:
            limit = threading.Timer(LIMIT_SECONDS, self.process.kill)
            limit.start()
            line = self.process.stdout.readline().strip()
            limit.cancel()
            if not line:
                how = "HANGS" if self.process.wait() == -signal.SIGKILL else f"FAILS: exit code {self.process.returncode}"
                return f"{how} after {says}"
            if line.startswith(("right", "WRONG", "FAILS")):
                return line
            says = line


def sanitized(options, case, tool):
    """What compute-sanitizer finds; empty: nothing."""
    command = ["nice", "-n", "10", "compute-sanitizer", "--tool", tool, "--error-exitcode", "9", *CHILD, "0"]
    try:
        done = subprocess.run(command, input=f"{case.folder}\n", capture_output=True, text=True, timeout=LIMIT_SECONDS * 2)
    except subprocess.TimeoutExpired:
        return "no end within the limit"
    said = [line for line in done.stdout.splitlines() if "right" not in line]
    return "" if not done.returncode and "right" in done.stdout else f"exit code {done.returncode}: {' / '.join(said)[:600]}"


# ---- All of it


class Results:
    def __init__(self, began):
        self.lock, self.counts, self.began = threading.Lock(), {}, began

    def add(self, case, kind, text):
        with self.lock:
            self.counts[kind] = self.counts.get(kind, 0) + 1
            print(f"{time.monotonic() - self.began:4.0f} s  {kind:10} {case.options:8} {case.name}  {text}", flush=True)


def launch_all(options, ready, results):
    one = Child(options)
    while (case := ready.get()) is not None:
        verdict = one.verdict(case.folder)
        results.add(case, verdict.split()[0].rstrip(":"), f"{verdict} {case.note}")
        if not verdict.startswith(("right", "WRONG")):
            one.end()
            one = Child(options)
        elif options.sanitize and case.options == "default":
            options.sanitizing.submit(sanitize_all, options, case, results)
    one.end()


def sanitize_all(options, case, results):
    for tool in options.sanitize:
        if time.monotonic() - results.began > options.until:
            results.add(case, "not run", tool)
            continue
        says = sanitized(options, case, tool)
        if "not supported" in says:  # such as a device that a virtual machine passes on
            options.sanitize = []
            return results.add(case, "not run", says)
        results.add(case, "finding" if says else "clean", f"{tool}: {says}" if says else tool)


def prepare_all(options, group, ready, results):
    if time.monotonic() - results.began > options.until:
        return results.add(group[0], "not run", "")
    for case in prepare(options, group):
        if case.trouble:
            results.add(case, case.trouble.split(":")[0], case.trouble.replace("\n", " / "))
        else:
            ready.put(case)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tilescope")
    parser.add_argument("--launches", type=int, default=1000)
    parser.add_argument("--only", default="", help="cases whose name this regular expression is found in")
    parser.add_argument("--sets", type=lambda text: text.split(","), default=list(SETS), help=f"of {', '.join(SETS)}")
    parser.add_argument("--sanitize", type=lambda text: text.split(","), default=[], help="tools of compute-sanitizer")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "gpu_stress")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="that prepare")
    parser.add_argument("--children", type=int, default=4, help="that launch")
    parser.add_argument("--exec-seconds", type=float, default=60, help="a case that takes longer on the CPU is left out")
    parser.add_argument("--until", type=float, default=1e9)
    options = parser.parse_args()
    if unknown := set(options.sets) - set(SETS):
        parser.error(f"--sets: there is no {', '.join(sorted(unknown))}")
    options.tilescope = pathlib.Path(options.tilescope).resolve()
    if options.sanitize and not shutil.which("compute-sanitizer"):
        print("no compute-sanitizer here: not sanitized")
        options.sanitize = []
    results, ready = Results(time.monotonic()), queue.Queue()
    options.sanitizing = concurrent.futures.ThreadPoolExecutor(options.jobs)
    launching = [threading.Thread(target=launch_all, args=(options, ready, results)) for _ in range(options.children)]
    for thread in launching:
        thread.start()
    try:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(lambda group: prepare_all(options, group, ready, results), cases_of(options)))
    finally:  # those that launch wait for it, whatever went wrong
        for _ in launching:
            ready.put(None)
    for thread in launching:
        thread.join()
    options.sanitizing.shutdown()
    print(", ".join(f"{count} {kind}" for kind, count in sorted(results.counts.items())) or "no case")
    sys.exit(0 if "right" in results.counts and set(results.counts) <= {"right", "clean"} else 1)


if __name__ == "__main__":
    main()
