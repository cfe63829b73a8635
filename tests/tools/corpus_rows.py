"""The rows of the corpus: which kernels of a checkout of TileLang's examples, with which arguments, and what the incumbent
needs for them. They come from a CSV: file, factory, args and kwargs as JSON, and for each target shared, static bytes and
an error."""

import ast
import csv
import dataclasses
import functools
import json
import os
import re

TENSOR = re.compile(r"<tensor \(([^)]*)\) (?:torch\.)?(\w+)>")
TYPE = re.compile(r"(float|bfloat|u?int)\d+")
# Files that ask a type for its bits: it is given as T.float16, not as a word.
TYPED = ("gemm_sp/sparse_utils.py",)
# Kernels of GPUs that are none of our targets, by what the examples call them.
ELSEWHERE = re.compile(r"(^|/)(amd|aws)/|sm100|tcgen05|cdna|_amd_")
# Shared bytes of a block (CUDA C++ Programming Guide, technical specifications per compute capability) that a target leaves,
# and the target for kernels whose tiles are too large for it: the incumbent gives code for them that nothing can launch.
TOO_LARGE_FOR = {"sm_80": (163 * 1024, "sm_90a")}
# Bare `prim_func`s, of which the list knows no arguments: the function, and what the file's own main gives it.
BARE = {
    "bitnet-1.58b/kernel_benchmark/tilelang_bitnet_158_int8xint2_decode.py": (
        "bitnet_158_int8xint2_decode.kernel",
        {"M": 1, "N": 256, "K": 256, "in_dtype": "int8", "out_dtype": "int32", "accum_dtype": "int32"}),
    "gemm/example_gemm_autotune_early_stop.py": (
        "make_kernel.kernel.main", {"block_M": 32, "block_N": 64, "block_K": 32, "num_stages": 1, "thread_num": 128}),
    "gemm_int4/example_tilelang_gemm_int4.py": (
        "matmul_nt_int4.main", {"M": 1024, "N": 1024, "K": 1024, "block_M": 128, "block_N": 128, "block_K": 64}),
    "grouped_gemm/example_grouped_gemm_fwd_ptr.py": (
        "grouped_gemm_ptr.kernel", {"batch_sizes_list": [64, 128, 256], "K": 4096, "N": 4096, "block_M": 64, "block_N": 128,
                                    "block_K": 64, "num_stages": 1, "threads": 256}),
    "iket/all_features.py": ("add_scale_with_iket.main", {"n": 2048}),
    "iket/minimal.py": ("elementwise_add_with_iket.main", {"n": 1024}),
    "iket/payload_minimal.py": ("payload_mark_kernel.main", {"n": 128}),
}


@dataclasses.dataclass
class Row:
    file: str
    function: str
    kernel: str  # FILE[:FUNCTION] for the program
    arguments: list  # --set NAME=VALUE ...
    tensors: dict  # of the arguments: those that are tensors, whose value is a shape: the element type, as torch calls it
    name: str
    target: str
    theirs: list | None  # for the target: shared bytes, static ones included, of each of the incumbent's kernels; None: unknown
    is_lowered: bool  # by the incumbent, for the target that was asked for
    is_elsewhere: bool


@functools.lru_cache
def tree_of(path):
    with open(path, encoding="utf-8") as file:
        return ast.parse(file.read())


def function_named(tree, name):
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return node
    return None


def literal(value, is_typed=False):
    if is_typed and isinstance(value, str) and TYPE.fullmatch(value):
        return f"T.{value}"
    tensor = TENSOR.fullmatch(value) if isinstance(value, str) else None
    if tensor:
        return f"({tensor.group(1)})"
    return value if isinstance(value, str) else repr(value)


def as_settings(values, is_typed=False):
    return [part for name, value in values.items() for part in ("--set", f"{name}={literal(value, is_typed)}")]


def by_name(path, factory, args, kwargs):
    """Positional arguments by the function's parameter names."""
    function = function_named(tree_of(path), factory)
    return {} if function is None else dict(zip([a.arg for a in function.args.args], args)) | kwargs


def settings(path, factory, args, kwargs):
    """--set arguments, tensors by their extents."""
    return as_settings(by_name(path, factory, args, kwargs), str(path).endswith(TYPED))


def tensor_types(values):
    found = {name: TENSOR.fullmatch(value) for name, value in values.items() if isinstance(value, str)}
    return {name: tensor[2] for name, tensor in found.items() if tensor}


def numbers(text):
    words = (text or "").split()
    return [int(word) for word in words] if words and all(word.isdigit() for word in words) else None


def bytes_of(row, target):
    """Dynamic and static shared bytes of each kernel."""
    column = "sm_90a" if target.startswith("sm_9") else "sm_80"
    shared, static = numbers(row.get(f"{column}_shared_bytes")), numbers(row.get(f"{column}_static_bytes"))
    if shared is None:
        return None
    static = static if static and len(static) == len(shared) else [0] * len(shared)
    return [a + b for a, b in zip(shared, static)]


def row_of(row, examples, target):
    path, factory = os.path.join(examples, row["file"]), row["factory"]
    if factory:
        values = by_name(path, factory, json.loads(row["args"]), json.loads(row["kwargs"]))
    else:
        factory, values = BARE.get(row["file"], ("", {}))
    asked = theirs = bytes_of(row, target)
    capacity, larger_target = TOO_LARGE_FOR.get(target, (None, ""))
    if theirs and capacity and max(theirs) > capacity:
        target, theirs = larger_target, bytes_of(row, larger_target)
    return Row(file=row["file"], function=factory, kernel=path + (":" + factory if factory else ""), arguments=as_settings(values, path.endswith(TYPED)),
               tensors=tensor_types(values), name=f"{row['file']}:{factory}", target=target, theirs=theirs, is_lowered=asked is not None,
               is_elsewhere=bool(ELSEWHERE.search(row["file"])))


def read(listed, examples, target, only):
    with open(listed, newline="", encoding="utf-8") as file:
        return [row_of(row, examples, target) for row in csv.DictReader(file)
                if not only or row["file"].startswith(tuple(only))]
