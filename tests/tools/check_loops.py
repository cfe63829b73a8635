#!/usr/bin/env python3
"""The loops around wgmma in the SASS of our CUDA for sm_90a, beside those of the kernels by hand in tests/golden.

Usage: check_loops.py TILESCOPE
GEMM and attention forward of testdata, at the arguments and options of passes that are fastest, each beside the golden
kernel of the same schedule. A finding: another number of MMAs or exponentials in the loop, more than MOST as many
instructions or registers, or another share of the exponentials in front of the loop's last wait, which says whether
they run while MMAs do. Exit status 77: there is no nvcc or no nvdisasm here.
"""

import dataclasses
import pathlib
import re
import subprocess
import sys
import tempfile

import check_nvcc
import tree

sys.path.insert(0, str(tree.ROOT / "tests/golden"))
import build  # noqa: E402
import variants  # noqa: E402

MOST = 1.05
PERSISTENT = ["inject-pipeline.blocks=128", "split-roles.warp-groups=true"]
GEMM = "gemm_transposed.py:matmul --set M=4096 --set N=4096 --set K=4096 --set through_shared=true --set block_N=256 " \
       "--set block_K=64 --set num_stages=3 --set threads=256"
ATTENTION = "attention_fwd.py:attention --set heads=32 --set length=4096 --set dim=128 --set block_M=128 " \
            "--set block_N=128 --set num_stages=2 --set threads=256"
AHEAD = ["plan-pipeline.overlap-products=true", "split-masks.branch=true", "inject-pipeline.tile-slots=2"]
# Golden variant: (kernel, options of passes). Where masks are skipped by a branch a loop holds them: causal is left out.
PAIRS = {"G5-three": (GEMM, PERSISTENT), "A6-loose": (ATTENTION, PERSISTENT + AHEAD)}

LABEL = re.compile(r"^(\.L_\w+):")
INSTRUCTION = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(?:\{\s*)?(.*?)\s*;")
BRANCH = re.compile(r"\bBRA\b.*?(\.L_\w+)")
REGISTERS = re.compile(r"Used (\d+) registers")


@dataclasses.dataclass(frozen=True)
class Loop:
    instructions: int
    products: int
    exponentials: int
    early: int      # of those, in front of the last wait for MMAs
    registers: int  # of the kernel


def instructions_of(nvdisasm, cubin):
    """([instruction], {label: index of the instruction behind it})"""
    listing = subprocess.run([nvdisasm, "-c", cubin], capture_output=True, text=True, check=True).stdout
    instructions, labels = [], {}
    for line in map(str.strip, listing.splitlines()):
        if label := LABEL.match(line):
            labels[label[1]] = len(instructions)
        elif instruction := INSTRUCTION.search(line):
            instructions.append(instruction[1])
    return instructions, labels


def loop_of(nvdisasm, cubin, registers):
    """Of the innermost loops with MMAs that with the fewest instructions for each; warp groups have one each."""
    instructions, labels = instructions_of(nvdisasm, cubin)
    loops = []
    for end, text in enumerate(instructions):
        branch = BRANCH.search(text)
        begin = labels.get(branch[1], len(instructions)) if branch else len(instructions)
        body = instructions[begin:end + 1]
        if any("HGMMA" in each for each in body):
            loops.append(loop_in(body, registers))
    return min(loops, key=lambda loop: loop.instructions / loop.products, default=None)


def loop_in(body, registers):
    exponentials = [at for at, text in enumerate(body) if "MUFU.EX2" in text]
    waits = [at for at, text in enumerate(body) if "WARPGROUP.DEPBAR" in text]
    early = sum(at < waits[-1] for at in exponentials) if waits else 0
    return Loop(len(body), sum("HGMMA" in text for text in body), len(exponentials), early, registers)


def our_cubin(tilescope, nvcc, kernel, options, stem):
    """Its registers; `stem`.cubin is written."""
    words = ["testdata/kernels/" + kernel.split()[0], *kernel.split()[1:], "--target", "sm_90a"]
    words += [word for option in options for word in ("--pass-option", option)]
    subprocess.run([tilescope, "compile", *words, "-o", f"{stem}.cu"], cwd=tree.ROOT, check=True, capture_output=True)
    fast = ["--use_fast_math"] if "--use_fast_math" in stem.with_suffix(".cu").read_text().splitlines()[0] else []
    built = subprocess.run([nvcc, "-arch=sm_90a", "-std=c++17", "-cubin", *fast, "-Xptxas", "-v", f"{stem}.cu", "-o",
                            f"{stem}.cubin"], capture_output=True, text=True, check=True)
    return int(REGISTERS.search(built.stdout + built.stderr)[1])


def golden_cubin(nvcc, name, stem):
    """As above."""
    built = build.run_nvcc(nvcc, variants.ALL[name], f"{stem}.cubin")
    return int(REGISTERS.search(built.stdout + built.stderr)[1])


def findings_of(name, ours, golden):
    if not ours or not golden:
        return [f"{name}: no loop has wgmma in it"]
    findings = []
    for what in ("products", "exponentials", "early"):
        if getattr(ours, what) != getattr(golden, what):
            findings.append(f"{name}: {getattr(ours, what)} {what} in our loop, {getattr(golden, what)} in the golden one")
    for what in ("instructions", "registers"):
        if getattr(ours, what) > MOST * getattr(golden, what):
            findings.append(f"{name}: {getattr(ours, what)} {what}, {getattr(golden, what)} in the golden kernel")
    return findings


def main():
    tilescope = pathlib.Path(sys.argv[1]).resolve()
    nvcc, nvdisasm = check_nvcc.find_both("loops")
    findings = []
    with tempfile.TemporaryDirectory() as folder:
        for name, (kernel, options) in PAIRS.items():
            stems = [pathlib.Path(folder) / part for part in ("ours", "golden")]
            registers = our_cubin(tilescope, nvcc, kernel, options, stems[0]), golden_cubin(nvcc, name, stems[1])
            ours, golden = (loop_of(nvdisasm, f"{stem}.cubin", count) for stem, count in zip(stems, registers))
            print(f"loops: {name}: {golden}\n  ours: {ours}")
            findings += findings_of(name, ours, golden)
    tree.finish("loops", findings)


if __name__ == "__main__":
    main()
