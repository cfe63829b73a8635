"""Triton's kernels of files that nobody runs, compiled ahead of time: no GPU is needed."""

import inspect
import pathlib
import re

from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.runtime.jit import JITFunction

from tilescope.definitions import Absent, load_definitions
from tilescope.problem import Problem

DIVISIBLE = [["tt.divisibility", 16]]
WARP = 32


def kernel_of(value):
    """Of what tunes a kernel, or works values out for it, the kernel."""
    while not isinstance(value, JITFunction) and hasattr(value, "fn"):
        value = value.fn
    return value if isinstance(value, JITFunction) else None


def kernel_in_file(text: str) -> JITFunction:
    """Of FILE[:FUNCTION]."""
    file, _, wanted = text.partition(":")
    module = load_definitions(pathlib.Path(file))
    kernels = {name: kernel_of(value) for name, value in vars(module).items() if type(value) is not Absent}
    kernels = {name: kernel for name, kernel in kernels.items() if kernel is not None and is_of(kernel, file)}
    if wanted in kernels:
        return kernels[wanted]
    if not wanted and len(kernels) == 1:
        return next(iter(kernels.values()))
    absent = vars(module).get(wanted) if wanted else next((v for v in vars(module).values() if type(v) is Absent), None)
    if type(absent) is Absent and not kernels.get(wanted):
        absent()
    if not kernels:
        raise Problem(f"{file} has no kernel")
    raise Problem(f"{file} has {'no kernel ' + wanted if wanted else 'several kernels'}: {', '.join(kernels)}")


def is_of(kernel, file: str) -> bool:
    """And not one of Triton's library that the file imports."""
    found = inspect.getsourcefile(kernel.fn)
    return bool(found) and pathlib.Path(found).resolve() == pathlib.Path(file).resolve()


def target_of(arch: str) -> GPUTarget:
    if not re.fullmatch(r"sm_\d+a?", arch):
        raise Problem(f"unknown target '{arch}': expected sm_80, sm_90, ...")
    return GPUTarget("cuda", int(arch.removeprefix("sm_").removesuffix("a")), WARP)


def source_of(kernel, signature: list[str], constants: dict) -> ASTSource:
    """`signature`: TYPE or NAME=TYPE of the arguments that are no constants, in order, as *fp16:16 or i32."""
    parameters = {parameter.name: parameter for parameter in kernel.params}
    check_names(constants, parameters)
    defaults = {name: parameter.default for name, parameter in parameters.items() if parameter.has_default}
    constants = defaults | constants
    types_of = typed(signature, [name for name in parameters if name not in constants], parameters)
    missing = [name for name in parameters if name not in constants and name not in types_of]
    if missing:
        constant = [name for name in missing if parameters[name].is_constexpr]
        raise Problem(f"kernel '{kernel.__name__}' needs " + (
            f"values (--constexpr NAME=VALUE) for: {', '.join(constant)}" if constant
            else f"types (--signature) for: {', '.join(missing)}"))
    whole = {name: types_of[name].partition(":")[0] if name in types_of else "constexpr" for name in parameters}
    places = {name: at for at, name in enumerate(parameters)}
    attributes = {(places[name],): DIVISIBLE for name, type_ in types_of.items() if type_.endswith(":16")}
    values = {(places[name],): value for name, value in constants.items() if name not in types_of}
    return ASTSource(fn=kernel, signature=whole, constexprs=values, attrs=attributes)


def typed(signature, in_order, parameters) -> dict[str, str]:
    """{name: type}"""
    found, waiting = {}, [name for name in in_order if not parameters[name].is_constexpr]
    for text in signature:
        name, is_named, type_ = text.partition("=")
        if not is_named:
            if not waiting:
                raise Problem(f"--signature has more types than the kernel has arguments: '{text}'")
            name, type_ = waiting[0], text
        check_names([name], parameters)
        if not re.fullmatch(r"\*{0,2}[a-z]\w*(:16)?", type_):
            raise Problem(f"--signature: '{type_}' is no type: expected *fp16:16, i32, ...")
        waiting = [other for other in waiting if other != name]
        found[name] = type_
    return found


def check_names(given, known):
    for name in given:
        if name not in known:
            raise Problem(f"the kernel has no argument '{name}': it has {', '.join(known)}")

