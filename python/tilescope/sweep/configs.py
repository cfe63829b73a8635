"""The configs that `@tilelang.autotune(configs=...)` gives a kernel, each through the door as our IR text."""

import contextlib
import dataclasses
import inspect
import pathlib
import sys

from tilescope import door, kernel_files
from tilescope.compile_command import said
from tilescope.door.kernels import gpu_of
from tilescope.problem import Problem
from tilescope.sweep.table import Config

# What a config may hold beside arguments of the kernel.
PASS_CONFIGS = "pass_configs"


def lowered_configs(kernel: str, texts: list[str], target: str, progress=lambda done, all: None) -> list[Config]:
    """Of FILE[:FUNCTION]; `texts` are NAME=VALUE. What the kernel's files print goes to standard error."""
    with contextlib.redirect_stdout(sys.stderr), gpu_of(target), imports_forgotten(kernel):
        try:
            tuner, _ = kernel_files.defined_in_file(kernel)
            arguments = kernel_files.settings(texts)
            configs = configs_of(tuner, arguments, kernel)
        except Problem:
            raise
        except Exception as error:  # whatever the kernel's files raise
            raise Problem(f"{kernel} has no configs: {type(error).__name__}: {error}") from error
        lowered = []
        for config in configs:
            lowered.append(lowered_config(tuner.jit_impl, arguments, config, target, kernel))
            progress(len(lowered), len(configs))
        return lowered


@contextlib.contextmanager
def imports_forgotten(kernel: str):
    """At the end, the modules that lie beside the kernel's file: they too may ask which GPU there is, and another target is
    told of another."""
    folder = pathlib.Path(kernel.partition(":")[0]).resolve().parent
    before = set(sys.modules)
    try:
        yield
    finally:
        for name in sys.modules.keys() - before:
            file = pathlib.Path(getattr(sys.modules[name], "__file__", None) or "/").resolve()
            # An environment of Python may lie there as well.
            if folder in file.parents and "site-packages" not in file.parts:
                del sys.modules[name]


def configs_of(tuner, arguments: dict, kernel: str) -> list[dict]:
    if not hasattr(tuner, "configs"):
        raise Problem(f"{kernel} has no configs: there is no @tilelang.autotune; "
                      "the program's own 'tilescope sweep' takes values by --set")
    configs = tuner.configs
    if callable(configs):
        given, named = arguments_for(configs, tuner.jit_impl.signature, arguments)
        configs = configs(*given, **named)
    configs = [dict(config) for config in configs]
    if not configs:
        raise Problem(f"{kernel}: the list of configs is empty")
    for name in arguments:
        if any(name in config for config in configs):
            raise Problem(f"--set {name}: the configs of {kernel} give it")
    return configs


def arguments_for(configs, signature: inspect.Signature, arguments: dict):
    """What TileLang hands a callable is what the kernel is called with, by place or by name."""
    try:
        inspect.signature(configs).bind(**arguments)
        return (), arguments
    except TypeError:
        return [arguments[name] for name in signature.parameters if name in arguments], {}


def lowered_config(kernel, arguments: dict, config: dict, target: str, file: str) -> Config:
    words = {name: kernel_files.text_of(value) for name, value in config.items() if name != PASS_CONFIGS}
    options = config.get(PASS_CONFIGS)
    if options:
        kernel = dataclasses.replace(kernel, pass_configs={**(kernel.pass_configs or {}), **options})
        words[PASS_CONFIGS] = " ".join(f"{getattr(name, 'value', name)}={value}" for name, value in options.items())
    values = {name: value for name, value in config.items() if name != PASS_CONFIGS}
    try:
        return Config(words, door.lower(kernel, target, **arguments, **values))
    except Exception as error:  # whatever the kernel's files raise
        return Config(words, error=said(error, file).splitlines()[0])
