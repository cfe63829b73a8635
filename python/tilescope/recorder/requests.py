"""What TileLang is asked to compile: which kernel with which arguments, and whether a cache had it.

TileLang's lowering sees a PrimFunc alone. So the calls that make one and those that look it up are watched, and a compile
takes what was asked from the context that it runs in, whichever thread that is."""

import contextlib
import contextvars
import dataclasses
import functools
import inspect

from tilelang.autotuner.tuner import AutoTuner
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
    is_compiled: bool = False


class Requests:
    """Watches them while it is installed. `seen` is called with each request that ended."""

    def __init__(self, seen, rebuild: bool):
        self.seen, self.rebuild = seen, rebuild
        self.current = contextvars.ContextVar("tilescope_request", default=None)
        self.made = {}  # by handle: (a PrimFunc, which must live as long, the request that it is for)

    @contextlib.contextmanager
    def watched(self):
        watchers = {(JITImpl, "get_tir"): self.get_tir, (KernelCache, "cached"): self.cached,
                    (KernelCache, "_load_kernel_from_disk"): self.load_kernel,
                    (AutoTuner, "_load_result_from_disk"): self.load_tuned}
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
            request.error = f"{type(error).__name__}: {error}"
            self.seen(request)
            raise
        self.made[hash(function)] = (function, request)
        return function

    def cached(self, original, cache, func=None, *given, **named):
        _, made = self.made.get(hash(func), (None, None))
        request = dataclasses.replace(made) if made else Request(str((func.attrs or {}).get("global_symbol", "kernel")))
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

    def load_tuned(self, original, tuner, key):
        if self.rebuild:
            return None
        result = original(tuner, key)
        if result is not None:
            name = getattr(getattr(result.func, "attrs", None) or {}, "get", lambda *_: "kernel")("global_symbol", "kernel")
            self.seen(Request(str(name), cache="disk (autotuning)"))
        return result


def wrapped(original, watcher):
    @functools.wraps(original)
    def call(*given, **named):
        return watcher(original, *given, **named)

    return call


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


def arch_of(context) -> str:
    target = context.get("target") if isinstance(context, dict) else context.target
    return str(getattr(target, "attrs", {}).get("arch", "") if target is not None else "")
