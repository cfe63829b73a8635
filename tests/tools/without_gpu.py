#!/usr/bin/env python3
"""Runs a program as it stands where there is no GPU: its tensors have shapes and types but no data (torch's device "meta"),
and kernels of TileLang are compiled and not run. Modules that are missing are there as long as nobody calls them. It ends
where it looks at data, or at a GPU.

Usage: without_gpu.py SCRIPT [ARGUMENT...]"""

import ast
import importlib.util
import pathlib
import runpy
import sys
import types

import torch
from torch.overrides import TorchFunctionMode


def is_gpu(value):
    return isinstance(value, (str, torch.device)) and str(value).startswith("cuda")


class WithoutData(TorchFunctionMode):
    def __torch_function__(self, function, _, args=(), kwargs=None):
        if function is torch.Tensor.cuda:
            return args[0].to("meta")
        args = ["meta" if is_gpu(value) else value for value in args]
        return function(*args, **{name: "meta" if is_gpu(value) else value for name, value in (kwargs or {}).items()})


def outputs_of(kernel, *_, **__):
    """What a call of a kernel returns, without data."""
    made = [torch.empty([int(extent) for extent in kernel.params[index].shape], device="meta",
                        dtype=kernel.params[index].torch_dtype()) for index in kernel.out_idx]
    return made[0] if len(made) == 1 else made or None


def no_profiler(*_, **__):
    raise RuntimeError("kernels are not run here, so none is timed or checked")


def stand_in(name):
    def not_there(*_, **__):
        raise ModuleNotFoundError(f"{name} is not installed")

    module = types.ModuleType(name)
    module.__getattr__ = lambda _: not_there
    return module


def imported_by(script):
    """The first words of the modules that it names."""
    for node in ast.walk(ast.parse(pathlib.Path(script).read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else (
            [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else [])
        yield from (name.partition(".")[0] for name in names)


def main():
    script = sys.argv[1]
    sys.argv = sys.argv[1:]
    sys.path[0] = str(pathlib.Path(script).resolve().parent)
    from tilelang.jit.kernel import JITKernel
    JITKernel.__call__, JITKernel.get_profiler = outputs_of, no_profiler
    for name in set(imported_by(script)):
        if name and importlib.util.find_spec(name) is None:
            sys.modules[name] = stand_in(name)
    with WithoutData():
        runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main()
