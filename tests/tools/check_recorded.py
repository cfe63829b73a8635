#!/usr/bin/env python3
"""Traces of TileLang's own compiler: how many statements of the last state have a line of the kernel, how often one that
was worked out is wrong, what statements of other files have, and whether every line of the CUDA is mapped to a statement
that it speaks of. Run by `./dev peer` with the Python of .peer/.

Usage: check_recorded.py [--examples FOLDER] [--out FOLDER]"""

import argparse
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "tools"))
from check_peer import TARGETS, lower, record  # noqa: E402
from hidden_lines import try_lines  # noqa: E402

KERNELS = [
    "testdata/kernels/gemm_relu.py:matmul,M=1024,N=1024,K=1024",
    "testdata/kernels/attention_fwd.py:attention,heads=32,length=4096,num_stages=2",
]
# Of TileLang's own examples; the last word is the only target of one that needs it.
EXAMPLES = [
    ("quickstart.py:matmul,M=1024,N=1024,K=1024,block_M=128,block_N=128,block_K=32", TARGETS),
    ("flash_attention/example_mha_fwd_bshd.py:flashattn,batch=8,heads=32,seq_len=4096,dim=128,is_causal=False,"
     "block_M=128,block_N=128,num_stages=1,threads=128", TARGETS),
    ("flash_attention/example_mha_bwd_bshd.py:flashattn_bwd,batch=8,heads=32,seq_len=1024,dim=64,is_causal=False,"
     "block_M=128,block_N=32", TARGETS),
    ("warp_specialize/example_warp_specialize_gemm_copy_0_gemm_1.py:matmul_warp_specialize_copy_0_gemm_1,M=1024,N=1024,"
     "K=1024,block_M=128,block_N=128,block_K=64", ["sm_90a"]),
    ("gemm_splitk/example_tilelang_gemm_splitk.py:matmul,M=1024,N=1024,K=1024,block_M=128,block_N=128,block_K=32,split_k=4",
     TARGETS),
    ("deepseek_mla/example_mla_decode.py:flashattn,batch=128,heads=128,kv_head_num=1,seqlen_kv=8192,dim=512,pe_dim=64,"
     "block_N=64,block_H=64,num_split=1,softmax_scale=0.04", TARGETS),
]
LEAST_LINES = 0.95  # of the statements
MOST_WRONG = 0.005  # of the lines that are worked out where one was hidden, over all kernels
WORD = re.compile(r"[A-Za-z_]\w*")
TEMPORARY = re.compile(r"(__|v_)\w*|condval\w*")
# Lines that need name nothing, each with what the statement must be, by its text in the IR.
KINDS = [
    (re.compile(r"\s*(#pragma unroll.*|(for|while) ?\(.*\{|break;|continue;)"), re.compile(r"\s*(for|while) |.*T\.(break|continue)")),
    (re.compile(r"\s*if ?\(.*\{"), re.compile(r"\s*if |.*T\.(if_then_else|Select)")),
    (re.compile(r"\s*\} else \{"), re.compile(r"\s*if |.*T\.(if_then_else|Select)")),
    (re.compile(r"\s*\}"), re.compile(r"\s*(for|while|if|with) |.*T\.(if_then_else|Select)")),
    (re.compile(r"\s*__sync(threads|warp)\(.*\);"), re.compile(r".*(sync|barrier)")),
    (re.compile(r"\s*tl::(cp_async_(commit|wait)|fence_\w+|warpgroup_(arrive|commit_batch|wait|reg_\w+)|tma_store_(arrive|wait)"
                r"|mbarrier_\w+|__sync_\w+|\w*sync\w*|wait_wgmma)(<[^;]*>)?\(.*\);"),
     re.compile(r".*T\.(ptx_|fence|warpgroup|tma_store|set_max_nreg|wait|tvm_storage_sync|mbarrier|sync)")),
]


def last_state(records):
    """[(text, statement, line of the kernel or 0, whether that was worked out)]"""
    lines, text = [], []
    for record_ in records:
        lines += record_.get("lines", [])
        if record_["record"] == "snapshot":
            for at, removed, inserted in reversed(record_.get("edits", [])):
                text[at:at + removed] = inserted
            text = list(record_.get("full", text))
    return [(lines[number][0], lines[number][1], (lines[number][3] or [0])[0], lines[number][4:] == [True]) for number in text]


def unmapped(records):
    """Lines of the kernels without a statement, or with one that they do not speak of."""
    cuda = next(record_ for record_ in records if record_["record"] == "cuda")
    names = {b["id"]: b["name"] for record_ in records if record_["record"] == "buffers" for b in record_["buffers"]}
    ir = {}
    for text, stmt, *_ in last_state(records):
        if stmt is not None:
            ir[stmt] = ir.get(stmt, "") + text
    entries = {entry["line"]: entry for entry in cuda.get("map", [])}
    lines = cuda["text"].split("\n")
    kernels = [i for i, line in enumerate(lines, 1) if line.startswith('extern "C" __global__') and line.endswith("{")]
    inside = [(number, line) for number, line in enumerate(lines, 1) if kernels and number >= kernels[0] and line.strip()]
    known = {stmt: stems(text) for stmt, text in ir.items()}
    # A statement may take several lines, with values of its own between: each is told by the lines after it.
    bad = []
    for number, line in reversed(inside):
        entry = entries.get(number)
        said = known.setdefault(entry.get("stmt"), set()) if entry else set()
        said |= {names[buffer] for buffer in entry.get("buffers", ())} if entry else set()
        words = stems(line)
        if not entry or not (words & said or is_of_kind(line, ir.get(entry.get("stmt")))):
            bad.append((number, line))
        said |= {word for word in words if TEMPORARY.fullmatch(word)}
    return bad, len(inside)


def is_of_kind(line, text):
    """`text`: of the statement; None: it has no line of its own in the IR, as a scope, an attribute such as the order of
    blocks, a nested loop and the function."""
    if text is None:
        return re.fullmatch(r"extern \"C\" __global__.*|\s*[{}]|\s*(#pragma unroll.*|for \(.*)|"
                            r"\s*const dim3 blockIdx = tl::\w+<\d+>\(\);", line) is not None
    return any(of_line.fullmatch(line) and of_statement.match(text) for of_line, of_statement in KINDS)


def stems(text):
    """Words without the numbers and endings that printers add to tell names apart."""
    return {word if TEMPORARY.fullmatch(word) else re.sub(r"(_\d+|_mem)$", "", word) for word in WORD.findall(text)}


def is_same_without(text, target, source):
    """Whether TileLang emits `source` when nothing is recorded. Of some kernels it emits another text each time."""
    plain = {lower(text, target)[0] for _ in range(2)}
    if len(plain) > 1:
        print("  TileLang's CUDA of this kernel differs from run to run: not compared")
    return source in plain or len(plain) > 1


def row_of(text, target, out):
    path = out / f"{pathlib.Path(text.partition(':')[0]).stem}_{target}.trace"
    source, _, _ = record(text, target, path)
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    state = last_state(records)
    statements = {stmt: (line, text, is_carried) for text, stmt, line, is_carried in state if stmt is not None}
    lost = [text for line, text, _ in statements.values() if not line]
    lined = len(statements) - len(lost)
    carried = sum(is_carried for *_, is_carried in statements.values())
    bad, count = unmapped(records)
    share = lined / len(statements)
    print(f"{path.stem:42} {len(statements):5} statements: {lined:4} with a line ({share:.1%}), {carried:3} of them worked out; "
          f"CUDA lines {count - len(bad)} of {count}; {path.stat().st_size:,} bytes", flush=True)
    findings = [f"statement without a line: {text.strip()[:110]}" for text in lost] if share < LEAST_LINES else []
    findings += [f"CUDA line {number} is not mapped: {line.strip()[:110]}" for number, line in bad]
    findings += [] if is_same_without(text, target, source) else ["the CUDA differs"]
    return [f"{path.stem}: {finding}" for finding in findings]


def check_hidden(kernels):
    tried = [try_lines(text, target) for text, targets in kernels for target in targets]
    hidden, wrong, none = map(sum, zip(*tried))
    share = wrong / max(1, hidden - none)
    print(f"{hidden} lines hidden: {wrong} worked out wrong ({share:.2%} of those found), none for {none}")
    return [f"of lines that are worked out {share:.2%} are wrong"] if share > MOST_WRONG else []


# The macro has more lines than the kernel's file, so none of its own can be taken for one of that.
OTHER_FILE = "import tilelang.language as T\n" + "\n" * 40 + """
@T.macro
def doubled(A, B):
    for i in T.Parallel(128):
        B[i] = A[i] * 2
"""
CALLING_FILE = """import tilelang
import tilelang.language as T
from other_file_of_kernel import doubled


@tilelang.jit(out_idx=[-1])
def twice():
    @T.prim_func
    def main(A: T.Tensor((128,), "float32"), B: T.Tensor((128,), "float32")):
        with T.Kernel(1, threads=128) as block:
            doubled(A, B)
    return main
"""


def check_other_files(out):
    """What stands in a macro of another file has the line that calls it."""
    (out / "other_file_of_kernel.py").write_text(OTHER_FILE, encoding="utf-8")
    (out / "calling_kernel.py").write_text(CALLING_FILE, encoding="utf-8")
    sys.path.insert(0, str(out.resolve()))
    record(f"{out / 'calling_kernel.py'}:twice", "sm_80", out / "calling.trace")
    records = [json.loads(line) for line in (out / "calling.trace").read_text(encoding="utf-8").splitlines()]
    call = CALLING_FILE.split("\n").index("            doubled(A, B)") + 1
    stores = [line for text, stmt, line, _ in last_state(records) if stmt is not None and re.match(r"\s*B\w*\[.*\] = ", text)]
    lines = {entry[3][0] for record_ in records for entry in record_.get("lines", []) if entry[3]}
    findings = [] if stores and set(stores) == {call} else [f"a statement of another file has the lines {stores}, not {call}"]
    return findings + [f"line {line} is of another file" for line in lines if line > CALLING_FILE.count("\n")]


DATA_FILE = """import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def summed():
    @T.prim_func
    def main(A: T.Tensor((8, 1024, 64), "float16"), lengths: T.Tensor((8,), "int32"), mask: T.Tensor((8, 16), "int8"),
             B: T.Tensor((8, 64, 64), "float16")):
        with T.Kernel(8, threads=128) as block:
            tile = T.alloc_shared((64, 64), "float16")
            total = T.alloc_fragment((64, 64), "float16")
            chosen = T.alloc_local((16,), "int8")
            T.clear(total)
            for i in T.vectorized(16):
                chosen[i] = mask[block, i]
            for k in T.Pipelined(T.ceildiv(lengths[block], 64), num_stages=2):
                if chosen[k] != 0:
                    T.copy(A[block, k * 64, 0], tile)
                    for i, j in T.Parallel(64, 64):
                        total[i, j] += tile[i, j]
            T.copy(total, B[block, 0, 0])
    return main
"""


def check_zeroed_data(out):
    """Where data decide how often a loop runs, or a condition, a program says what it does where they are 0."""
    (out / "data_kernel.py").write_text(DATA_FILE, encoding="utf-8")
    record(f"{out / 'data_kernel.py'}:summed", "sm_90a", out / "data.trace")
    records = [json.loads(line) for line in (out / "data.trace").read_text(encoding="utf-8").splitlines()]
    programs = [access["program"] for record_ in records for access in record_.get("accesses", [])]
    program = next((program for program in reversed(programs) if program["nodes"]), {"nodes": []})
    loops = [node for node in program["nodes"] if node["kind"] == "loop" and "maxTrips" not in node]
    if program.get("zeroed") == ["lengths", "mask"] and loops and all(node.get("onZeros") == 0 for node in loops):
        return []
    return [f"of data that decide: {program.get('zeroed')}, loops of unknown length: {loops}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--examples", type=pathlib.Path, help="TileLang's examples, where they are")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "peer")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    kernels = [(str(ROOT / text), TARGETS) for text in KERNELS]
    kernels += [(str(given.examples / text), targets) for text, targets in EXAMPLES] if given.examples else []
    findings = [finding for text, targets in kernels for target in targets for finding in row_of(text, target, given.out)]
    findings += check_hidden(kernels) + check_other_files(given.out) + check_zeroed_data(given.out)
    print("\n".join(findings) or "recorded: ok")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
