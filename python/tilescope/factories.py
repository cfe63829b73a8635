"""Plain functions of kernel files that make a kernel: they return one, or compile it, or call what they compiled."""

import contextlib
import inspect
import sys
import types

import tilelang
from tvm import tirx

from tilescope.problem import Problem


class Made(BaseException):
    """Raised where a function compiles a kernel: nothing is compiled, and nothing behind that runs. `options`: of the compile."""

    def __init__(self, kernel, args=(), kwargs=None, options=None):
        self.kernel, self.args, self.kwargs, self.options = kernel, args, kwargs or {}, options or {}


@contextlib.contextmanager
def compiles_raised():
    jit, tuner = sys.modules["tilelang.jit"], sys.modules["tilelang.autotuner.tuner"]

    def call(self, *args, **kwargs):
        raise Made(getattr(self, "jit_impl", self), args, kwargs)

    def compile_function(func=None, **options):
        raise Made(func, options=options)

    places = [(jit.JITImpl, "__call__", call), (jit.JITImpl, "compile", call), (tuner.AutoTuneImpl, "__call__", call),
              (tilelang, "compile", compile_function), (jit, "compile", compile_function)]
    originals = [(owner, name, getattr(owner, name)) for owner, name, _ in places]
    try:
        for owner, name, value in places:
            setattr(owner, name, value)
        yield
    finally:
        for owner, name, value in originals:
            setattr(owner, name, value)


class Factory:
    """Like what `@tilelang.jit` makes of a function: `get_tir` calls it; `names` of all arguments, `out_idx` and
    `pass_configs` are known after that."""

    def __init__(self, func):
        self.func, self.signature = func, inspect.signature(func)
        self.names, self.out_idx, self.pass_configs = [], None, {}

    def get_tir(self, **arguments) -> tirx.PrimFunc:
        made, self.names = self.func, []
        while isinstance(made, types.FunctionType):
            own = names_taken(made, arguments)
            self.names += own
            made = made_by(made, {name: arguments.pop(name) for name in own if name in arguments})
        if arguments:
            raise Problem(f"the kernel has no argument '{next(iter(arguments))}': it has {', '.join(self.names) or 'none'}")
        return self.function_of(made if isinstance(made, Made) else Made(made))

    def function_of(self, made: Made) -> tirx.PrimFunc:
        kernel = getattr(made.kernel, "jit_impl", made.kernel)
        options = {name: getattr(kernel, name, None) for name in ("out_idx", "pass_configs")} | made.options
        self.out_idx, self.pass_configs = options.get("out_idx"), dict(options.get("pass_configs") or {})
        if isinstance(kernel, tirx.PrimFunc):
            return kernel
        if not hasattr(kernel, "get_tir"):
            raise Problem(f"{self.func.__name__} makes no kernel: it returns {type(kernel).__name__}")
        return kernel.get_tir(*made.args, **made.kwargs)


def names_taken(func, given: dict) -> list[str]:
    """Those of its parameters; all that are given where it hands them on."""
    parameters = inspect.signature(func).parameters.values()
    if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters):
        return list(given)
    return [parameter.name for parameter in parameters if parameter.kind is not inspect.Parameter.VAR_POSITIONAL]


def made_by(func, arguments: dict):
    with compiles_raised():
        try:
            return func(**arguments)
        except Made as made:
            return made
