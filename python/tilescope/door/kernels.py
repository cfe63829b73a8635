"""Kernels of users: from a file, or from what `@tilelang.jit` made, to the PrimFunc that TileLang's front end gives."""

import contextlib
import dataclasses
import os
import sys
import types

import tilelang
import torch
from tilelang.carver.arch import driver
from tilelang.language import reduce_op, scan_op
from tilelang.language.eager.builder import Builder
from tilelang.utils.language import to_tile_region
from tvm import tirx

from tilescope import kernel_files
from tilescope.factories import Factory
from tilescope.problem import Problem
from tilescope.without_gpu import tensors_without_gpu

from .errors import UnknownArgument

TILELANG = os.path.dirname(tilelang.__file__)
# Those of pass_configs that change what our pipeline emits, and what our text calls them.
CONFIGS = {"tl.enable_fast_math": "fast_math", "tl.disable_thread_storage_sync": "disable_thread_storage_sync"}


@dataclasses.dataclass
class Kernel:
    """`outputs`: positions among the parameters. `configs`: words of T.module that are true."""

    function: tirx.PrimFunc
    name: str
    outputs: set
    configs: list


def kernel_in_file(text: str, target: str = "sm_80"):
    """FILE[:FUNCTION]: what makes the kernel. The file is Python and runs here."""
    with gpu_of(target):
        return kernel_files.kernel_in_file(text)[0]


def elaborate(kernel, arguments: dict, target: str = "sm_80") -> Kernel:
    """`kernel` is a PrimFunc, what `@tilelang.jit` or an autotuner made of a function, or a function that makes one of these."""
    their_target = kernel_files.target_of(target)
    if isinstance(kernel, tirx.PrimFunc):
        check_names(arguments, [])
        return Kernel(kernel, str(kernel.attrs["global_symbol"]), outputs_of(kernel, None), [])
    kernel = Factory(kernel) if isinstance(kernel, types.FunctionType) else getattr(kernel, "jit_impl", kernel)
    if not hasattr(kernel, "get_tir"):
        raise Problem(f"a kernel is needed, of @tilelang.jit or a PrimFunc, and this is {type(kernel).__name__}")
    arguments = kernel_files.typed(arguments, kernel)
    with (their_target, gpu_of(target), tensors_without_gpu(), lines_of_callers(),
          whole_operations(), as_written()):
        function = kernel.get_tir(**arguments)
    check_names(arguments, names_of(kernel))
    name = str(function.attrs["global_symbol"])
    # Most factories call what they return "main".
    name = kernel_files.name_of(kernel) if name == "main" else name
    configs = {str(getattr(key, "value", key)): value for key, value in kernel_files.configs_of(kernel, function).items()}
    return Kernel(function, name, outputs_of(function, getattr(kernel, "out_idx", None)),
                  [word for config, word in CONFIGS.items() if configs.get(config)])


def names_of(kernel) -> list[str]:
    """Arguments, and the dimensions that an eager kernel declares with T.const."""
    if isinstance(kernel, Factory):
        return kernel.names
    templates = getattr(kernel.func, "p1_cache", {}).values()  # one for each set of arguments so far
    extents = {entry[-1] for template in templates for entry in (template.matcher or {}).values()}
    return [*kernel.signature.parameters, *sorted(extents)]


def check_names(arguments: dict, names: list[str]):
    unknown = [name for name in arguments if name not in names]
    if unknown:
        raise UnknownArgument(unknown, names)


def outputs_of(function, given) -> set:
    """From `out_idx`, or from what an eager kernel returns."""
    if given is None and function.attrs and "tilelang_out_idx" in function.attrs:
        given = [int(index) for index in function.attrs["tilelang_out_idx"]]
    given = [] if given is None else [given] if isinstance(given, int) else given
    return {index % len(function.params) for index in given}


# ---- While TileLang's front end runs

@contextlib.contextmanager
def replaced(*places):
    """(owner, name, value), ...: put in place, and taken out again."""
    originals = [(owner, name, getattr(owner, name)) for owner, name, _ in places]
    for owner, name, value in places:
        setattr(owner, name, value)
    try:
        yield
    finally:
        for owner, name, value in originals:
            setattr(owner, name, value)


# Of the largest GPU with such an architecture that is sold whole: A100, RTX 3090 Ti, L40S, H100 and H200, B200 (NVIDIA's
# data sheets).
MULTIPROCESSORS = {80: 108, 86: 84, 89: 142, 90: 132, 100: 148}


def gpu_of(target: str):
    """Kernels that ask which GPU there is are told the target, whatever this machine has."""
    version = int("".join(filter(str.isdigit, target)) or 0)
    return replaced((torch.cuda, "get_device_capability", lambda device=None: divmod(version, 10)),
                    (driver, "get_num_sms", lambda device_id=0: MULTIPROCESSORS.get(version, MULTIPROCESSORS[80])))


def lines_of_callers():
    """What a macro of TileLang's own makes stands in the line of the kernel that calls it."""
    original = Builder.set_fileline

    def set_fileline(self, file, line, name):
        if file.startswith(TILELANG) and self.macro_fileline_stack:
            file, line, _ = self.macro_fileline_stack[-1]
        original(self, file, line, name)

    return replaced((Builder, "set_fileline", set_fileline))


def as_written():
    """TileLang simplifies what T.ceildiv rounds up, and kernels may ask for more of that; in our IR that is a pass."""

    def ceildiv(lhs, rhs, span=None):
        if isinstance(lhs, int) and isinstance(rhs, int):
            return -(-lhs // rhs)
        return tirx.floordiv(lhs + (rhs - 1), rhs)

    return replaced((tilelang.language, "ceildiv", ceildiv),
                    (sys.modules["tilelang.transform.simplify"], "_Simplify", lambda function, inline_let=False: function))


def whole_operations():
    """T.reduce_*, T.cumsum and T.cummax stay one operation, as the kernel says, also where TileLang would stage an operand through
    registers or shared memory: ours lower them wherever their operands lie."""

    def operation(name, source, destination, *rest, annotations=None):
        regions = to_tile_region(source, access_type="r"), to_tile_region(destination, access_type="w")
        call = tirx.call_intrin("handle", tirx.op.Op.get(name), *regions, *rest, annotations=dict(annotations or {}))
        reduce_op.evaluate(call)

    def reduce(buffer, out, reduce_type, dim, clear, batch=1, annotations=None):
        operation("tl.tileop.reduce", buffer, out, reduce_type, dim, clear, annotations=annotations)

    def cumsum_fragment(src, dst, dim, reverse, annotations=None):
        operation("tl.tileop.cumsum", src, dst, dim, reverse, annotations=annotations)

    def cummax_fragment(src, dst, dim, reverse, annotations=None):
        operation("tl.tileop.cummax", src, dst, dim, reverse, annotations=annotations)

    return replaced((reduce_op, "reduce", reduce), (scan_op, "cumsum_fragment", cumsum_fragment),
                    (scan_op, "cummax_fragment", cummax_fragment))
