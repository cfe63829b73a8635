"""Kernels of files that nobody runs: their definitions alone, with the arguments that a command line gives."""

import ast
import contextlib
import inspect
import pathlib
import re
import sys
import types

import tilelang
from tilelang.transform.pass_config import normalize_pass_configs
from tvm import tirx

from tilescope.definitions import Absent, load_definitions
from tilescope.factories import Factory
from tilescope.problem import Problem
from tilescope.without_gpu import tensors_without_gpu


def not_now(*_, **__):
    """A kernel file compiles or runs its kernel at the top level, which may need a GPU."""
    raise RuntimeError


@contextlib.contextmanager
def nothing_is_compiled():
    jit = sys.modules["tilelang.jit"].JITImpl
    runs = {(owner, name): getattr(owner, name)
            for owner, name in ((jit, "__call__"), (jit, "compile"), (tilelang, "compile"))}
    try:
        for owner, name in runs:
            setattr(owner, name, not_now)
        yield
    finally:
        for (owner, name), function in runs.items():
            setattr(owner, name, function)


@contextlib.contextmanager
def only_defined():
    with nothing_is_compiled(), tensors_without_gpu():
        yield


def load_kernel_file(path: pathlib.Path) -> types.ModuleType:
    """The definitions of a kernel file: what runs a kernel is left out."""
    return load_definitions(path, only_defined)


def kernels_of(module: types.ModuleType) -> dict:
    """By name: what makes a PrimFunc, or the autotuner of that."""
    present = {name: value for name, value in vars(module).items() if type(value) is not Absent}
    return {name: value for name, value in present.items()
            if isinstance(kernel_of(value), tirx.PrimFunc) or hasattr(kernel_of(value), "get_tir")}


def kernel_of(value):
    """Of an autotuner what it tunes."""
    return getattr(value, "jit_impl", value)


def kernel_in_file(text: str):
    """(kernel, file) of FILE[:FUNCTION]. Autotuned kernels are the kernel, not the search."""
    value, file = defined_in_file(text)
    return kernel_of(value), file


def defined_in_file(text: str):
    """(kernel or autotuner, file) of FILE[:FUNCTION]. The file is Python and its definitions run here. FUNCTION may be a plain
    one that makes a kernel, and names behind a dot are those of functions inside."""
    file, _, wanted = text.partition(":")
    wanted = wanted.partition(".")[0]
    module = load_kernel_file(pathlib.Path(file))
    kernels, absent = kernels_of(module), [value for value in vars(module).values() if type(value) is Absent]
    if wanted in kernels:
        return kernels[wanted], file
    if not wanted and len(kernels) == 1:
        return next(iter(kernels.values())), file
    if isinstance(vars(module).get(wanted), types.FunctionType):
        return Factory(vars(module)[wanted]), file
    if type(vars(module).get(wanted)) is Absent:
        vars(module)[wanted]()
    if not kernels and absent:
        absent[0]()
    if not kernels:
        raise Problem(f"{file} has no kernel")
    raise Problem(f"{file} has {'no kernel ' + wanted if wanted else 'several kernels'}: {', '.join(kernels)}")


def literal(text: str):
    """The value of an argument: a Python literal, a name of the language such as T.float16, or else a text."""
    if text.startswith("T.") and hasattr(tilelang.language, text[2:]):
        return getattr(tilelang.language, text[2:])
    try:
        return ast.literal_eval({"true": "True", "false": "False", "none": "None"}.get(text, text))
    except (ValueError, SyntaxError):
        return text


def name_of(kernel) -> str:
    """Of the function that users wrote; a PrimFunc has its own."""
    function = getattr(kernel, "func", kernel)
    function = getattr(function, "orig_func", function)
    return getattr(function, "__name__", "") or str(function.attrs["global_symbol"])


def signature_of(kernel) -> dict[str, inspect.Parameter]:
    """The arguments that are values. Tensors of a kernel in the eager style are none: their extents are given by name."""
    signature = getattr(kernel, "signature", None)
    tensors = getattr(getattr(kernel, "func", None), "tensor_args", {})
    return {name: p for name, p in signature.parameters.items() if name not in tensors} if signature else {}


def settings(texts: list[str]) -> dict:
    """The values of NAME=VALUE, ..."""
    values = {}
    for text in texts:
        name, is_set, value = text.partition("=")
        if not is_set or name in values:
            raise Problem(f"--set {text}: {'a second value of ' + name if is_set else 'expected NAME=VALUE'}")
        values[name] = literal(value)
    return values


def arguments_of(texts: list[str], kernel) -> dict:
    """The values of NAME=VALUE, ... Whether a kernel in the eager style has an extent of a name is known once it was
    built (`prim_func_of`)."""
    arguments = typed(settings(texts), kernel)
    if not has_tensors(kernel) and not isinstance(kernel, Factory):
        check_names(arguments, list(signature_of(kernel)))
    check_complete(arguments, kernel)
    return arguments


def typed(arguments: dict, kernel) -> dict:
    """The names of element types as types, where the default is one: kernels ask them for their bits."""
    declared = signature_of(kernel)
    return {name: tilelang.tvm.DataType(value)
            if isinstance(value, str) and name in declared and isinstance(declared[name].default, tilelang.tvm.DataType) else value
            for name, value in arguments.items()}


def check_complete(arguments: dict, kernel):
    """Of the arguments without a default each is given."""
    declared = {name: p for name, p in signature_of(kernel).items() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}
    needed = [name for name, p in declared.items() if p.default is p.empty and name not in arguments]
    if needed:
        raise Problem(f"kernel '{name_of(kernel)}' needs values (--set NAME=VALUE) for: {', '.join(needed)}; its parameters are: "
                      + ", ".join(name if p.default is p.empty else f"{name}={p.default}" for name, p in declared.items()))


def has_tensors(kernel) -> bool:
    return bool(getattr(getattr(kernel, "func", None), "tensor_args", {}))


def check_names(arguments: dict, known: list[str]):
    for name in arguments:
        if name not in known:
            raise Problem(f"the kernel has no argument '{name}': it has {', '.join(known) or 'none'}")


def prim_func_of(kernel, arguments: dict) -> tirx.PrimFunc:
    if isinstance(kernel, tirx.PrimFunc):
        return kernel
    function = kernel.get_tir(**arguments)
    extents = [str(name) for template in getattr(kernel.func, "p1_cache", {}).values()
               for name in (getattr(variable, "orig_name", variable) for variable in template.constexprs or ())]
    if has_tensors(kernel):
        named = {name: value for name, value in arguments.items() if not hasattr(value, "shape")}
        check_names(named, list(signature_of(kernel)) + sorted(set(extents)))
    return function


def parameters_of(kernel, arguments: dict) -> list[dict]:
    """Those given, and the defaults of the others, as a trace records them: in the order of the signature, extents last."""
    declared = signature_of(kernel)
    defaults = {name: p.default for name, p in declared.items() if p.default is not p.empty}
    values = defaults | arguments
    names = [name for name in declared if name in values] + sorted(name for name in values if name not in declared)
    return [{"name": name, "type": type(values[name]).__name__, "value": text_of(values[name])}
            | ({"default": text_of(defaults[name])} if name in defaults else {}) for name in names]


def text_of(value) -> str:
    """A Python literal. What has none is known by how it prints, or by its type where that is an address."""
    if isinstance(value, (bool, int, float, str, tuple, type(None))):
        return repr(value)
    text = str(value)
    return repr(type(value).__qualname__ if " at 0x" in text else text)


def target_of(arch: str):
    if not re.fullmatch(r"sm_\d+[af]?", arch):
        raise Problem(f"unknown target '{arch}': expected sm_80, sm_90a, ...")
    try:
        return tilelang.tvm.target.Target({"kind": "cuda", "arch": arch})
    except Exception as error:
        raise Problem(f"unknown target '{arch}': {error}") from None


def configs_of(kernel, function: tirx.PrimFunc) -> dict:
    """Those of the kernel, and of the decorator; those of the kernel come first."""
    own = dict(function.attrs["tilelang_pass_configs"]) if "tilelang_pass_configs" in (function.attrs or {}) else {}
    return dict(normalize_pass_configs(own | (getattr(kernel, "pass_configs", None) or {})) or {})


def lower(kernel, arguments: dict, target):
    """What their compile does up to the CUDA text; no GPU and no CUDA compiler is needed."""
    function = prim_func_of(kernel, arguments)
    with tilelang.transform.PassContext(opt_level=3, config=configs_of(kernel, function)), target:
        return tilelang.lower(function, target=target, enable_device_compile=False)
