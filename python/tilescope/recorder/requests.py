"""What TileLang is asked to compile: which kernel with which arguments, and whether a cache had it.

TileLang's lowering sees a PrimFunc alone. So the calls that make one and those that look it up are watched, and a compile
takes what was asked from the context that it runs in, whichever thread that is."""

import contextlib
import contextvars
import dataclasses
import functools
import inspect
import types

from tilelang.autotuner import tuner as tuner_module
from tilelang.autotuner.tuner import _PASS_CONFIGS_KEY, AutoTuner
from tilelang.cache.kernel_cache import KernelCache
from tilelang.jit import JITImpl

from tilescope.kernel_files import name_of, parameters_of


@dataclasses.dataclass
class Request:
    """One kernel that was asked for. `parameters` as a trace records them; empty: a PrimFunc that the program made itself."""

    kernel: str
    file: str = ""
    parameters: list = dataclasses.field(default_factory=list)
    target: str = ""
    cache: str = ""  # which one had it: "memory", "disk"; "": it was compiled
    error: str = ""
    is_asked: bool = False  # of a tuner's config: what becomes of it is said of another request
    is_compiled: bool = False


class Requests:
    """Watches them while it is installed. `seen` is called with each request that ended, `compiled` with the compiles of a
    group of the autotuner when all of it ended."""

    def __init__(self, seen, compiled, rebuild: bool):
        self.seen, self.compiled, self.rebuild = seen, compiled, rebuild
        self.current = contextvars.ContextVar("tilescope_request", default=None)
        self.tuned = contextvars.ContextVar("tilescope_tuned", default=None)  # what an autotuner asks of its function
        self.options = contextvars.ContextVar("tilescope_options", default=None)  # configuration of passes, of one config
        self.group = contextvars.ContextVar("tilescope_group", default=None)  # the compiles of a group so far
        self.options_of = {}  # by id: (a config of groups, which must live as long, its configuration of passes)
        self.made = {}  # by handle: (a PrimFunc, which must live as long, the request that it is for)

    @contextlib.contextmanager
    def watched(self):
        watchers = {(JITImpl, "get_tir"): self.get_tir, (KernelCache, "cached"): self.cached,
                    (KernelCache, "_load_kernel_from_disk"): self.load_kernel,
                    (AutoTuner, "_load_result_from_disk"): self.load_tuned,
                    (AutoTuner, "_prepare_compile_execution"): self.compile_configs,
                    (tuner_module, "compile_grouped_unit_tvm_ffi"): self.compile_group}
        originals = {(owner, name): getattr(owner, name) for owner, name in watchers}
        try:
            for (owner, name), watcher in watchers.items():
                setattr(owner, name, wrapped(originals[owner, name], watcher))
            yield
        finally:
            for (owner, name), original in originals.items():
                setattr(owner, name, original)

    def get_tir(self, original, kernel, *given, **named):
        request = request_of(kernel, given, named)
        try:
            function = original(kernel, *given, **named)
        except Exception as error:
            if (tuned := self.tuned.get()) is not None:
                tuned.is_asked = True
            self.fail(request, error)
            raise
        self.made[hash(function)] = (function, request)
        return function

    def cached(self, original, cache, func=None, *given, **named):
        request = self.request_for(func)
        request.target = arch_of(named.get("backend_context") or named)
        token = self.current.set(request)
        try:
            return original(cache, func, *given, **named)
        except Exception as error:
            request.error = f"{type(error).__name__}: {error}"
            raise
        finally:
            self.current.reset(token)
            if not request.is_compiled and not request.error:
                request.cache = request.cache or "memory"
            self.seen(request)

    def load_kernel(self, original, *given, **named):
        kernel = None if self.rebuild else original(*given, **named)
        request = self.current.get()
        if kernel is not None and request is not None:
            request.cache = "disk"
        return kernel

    def request_for(self, function) -> Request:
        tuned = self.tuned.get()
        _, made = self.made.get(hash(function), (None, tuned))
        if tuned is not None:
            tuned.is_asked = True
        if made is None:
            return Request(str((function.attrs or {}).get("global_symbol", "kernel")))
        options = self.options.get()
        return dataclasses.replace(made, parameters=made.parameters + ([parameter_of(options)] if options else []))

    def fail(self, request, error):
        request.error = f"{type(error).__name__}: {error}"
        self.seen(request)

    # ---- The autotuner

    def load_tuned(self, original, tuner, key):
        if self.rebuild:
            return None
        result = original(tuner, key)
        if result is not None:
            given, named = tuner._kernel_parameters or ((), ())
            request = request_of_function(tuner.fn, given, dict(named) | (result.config or {}))
            request.cache = "disk (autotuning)"
            self.seen(request)
        return result

    def compile_configs(self, original, tuner, config_args, compile_func, elaborate_func, **named):
        """Called with all configs, before they are compiled by several threads."""
        for config in config_args:
            self.options_of[id(config)] = (config, config.get(_PASS_CONFIGS_KEY))

        def compile_one(**config):
            with self.asked(tuner, config):
                return compile_func(**config)

        def elaborate_one(**config):
            with self.asked(tuner, config) as request:
                function = elaborate_func(**config)
            self.made.setdefault(hash(function), (function, request))
            return function

        return original(tuner, config_args=config_args, compile_func=compile_one, elaborate_func=elaborate_one, **named)

    @contextlib.contextmanager
    def asked(self, tuner, config):
        """What is asked for in the block is one config of a tuner's function."""
        values = {name: value for name, value in config.items() if name != _PASS_CONFIGS_KEY}
        request = request_of_function(tuner.fn, (), values)
        tuned = self.tuned.set(request)
        options = self.options.set(config.get(_PASS_CONFIGS_KEY) or self.options.get())
        try:
            yield request
        except Exception as error:
            if not request.is_asked:  # else it is said already
                self.fail(request, error)
            raise
        finally:
            self.tuned.reset(tuned)
            self.options.reset(options)

    def compile_group(self, original, unit_items, compile_args, elaborate_func):
        """Kernels that are lowered one after the other and emitted as one module. Why one failed is in the results alone."""
        requests = []
        group, current, options = self.group.set([]), self.current.set(None), self.options.set(None)

        def elaborate(**config):
            _, of_config = self.options_of.get(id(unit_items[len(requests)][1]), (None, None))
            self.options.set(of_config)
            requests.append(None)
            function = elaborate_func(**config)
            requests[-1] = self.request_for(function)
            requests[-1].target = arch_of(compile_args)
            self.current.set(requests[-1])
            return function

        try:
            results = original(unit_items=unit_items, compile_args=compile_args, elaborate_func=elaborate)
        finally:
            compiles = self.group.get()
            self.group.reset(group)
            self.current.reset(current)
            self.options.reset(options)
        errors = {index: error for index, _, _, error in results if error is not None}
        failed = {id(request): errors[index] for (index, _), request in zip(unit_items, requests) if index in errors}
        for compile_ in compiles:
            compile_.error = failed.get(id(compile_.request))
            self.compiled(compile_)
        return results


def wrapped(original, watcher):
    @functools.wraps(original)
    def call(*given, **named):
        return watcher(original, *given, **named)

    return call


def request_of_function(function, given, named) -> Request:
    """Of a function that makes a PrimFunc, whether TileLang's decorator was put on it or not."""
    plain = getattr(function, "orig_func", function)
    try:
        return request_of(types.SimpleNamespace(func=function, signature=inspect.signature(plain)), given, named)
    except Exception:  # a callable that says neither its name nor its arguments
        return Request(getattr(plain, "__name__", "kernel"))


def request_of(kernel, given, named) -> Request:
    """Arguments by name; tensors are left out, their extents are in the program."""
    function, name = getattr(kernel.func, "orig_func", kernel.func), name_of(kernel)
    values = dict(named)
    with contextlib.suppress(TypeError):
        bound = kernel.signature.bind_partial(*given, **{k: v for k, v in named.items() if k in kernel.signature.parameters})
        values = dict(bound.arguments) | named
    values = {key: value for key, value in values.items() if key not in getattr(kernel.func, "tensor_args", {})}
    file = inspect.getsourcefile(function) if inspect.isfunction(function) else ""
    try:
        return Request(name, file or "", parameters_of(kernel, values))
    except Exception:  # an argument that cannot be printed
        return Request(name, file or "")


def parameter_of(options: dict) -> dict:
    """What a config says to passes, as an argument of the kernel."""
    plain = {str(getattr(name, "value", name)): value for name, value in options.items()}
    return {"name": "pass_configs", "type": "dict", "value": repr(plain)}


def arch_of(context) -> str:
    target = context.get("target") if isinstance(context, dict) else context.target
    return str(getattr(target, "attrs", {}).get("arch", "") if target is not None else "")
