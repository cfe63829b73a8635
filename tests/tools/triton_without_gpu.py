"""A GPU that is not there: programs of PyTorch and Triton compile for it what they launch, and nothing runs. Tensors are the CPU's."""

import contextlib
import dataclasses
import os
import types

os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")
import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.runtime import autotuner

SHARED_BYTES = {80: 166912, 90: 232448}  # that a block may have
SEVERAL_OF = {80: 108, 90: 132}  # multiprocessors


class Nothing(contextlib.nullcontext):
    """A device, a stream: as a context, or called."""

    cuda_stream = 0

    def __init__(self, *_, **__):
        super().__init__()

    def wait_stream(self, *_):
        pass

    synchronize = wait_stream


def driver_of(arch: int):
    class Driver:
        utils = types.SimpleNamespace(
            get_device_properties=lambda device: {"max_shared_mem": SHARED_BYTES[arch], "multiprocessor_count": SEVERAL_OF[arch],
                                                  "max_num_regs": 65536, "warpSize": 32},
            load_binary=lambda *_: (1, 2, 32, 0, 1024), unload_module=lambda module: None)
        is_active = staticmethod(lambda: True)
        get_current_target = staticmethod(lambda: GPUTarget("cuda", arch, 32))
        get_current_device = get_current_stream = staticmethod(lambda *_: 0)
        get_device_interface = staticmethod(lambda: torch.cuda)
        get_active_torch_device = staticmethod(lambda: torch.device("cpu"))
        get_benchmarker = staticmethod(lambda: lambda call, **_: (call(), [1.0] * 3)[1])
        launcher_cls = staticmethod(lambda source, metadata: lambda *_: None)

    return Driver


def pretend(arch: int):
    """Before a project is imported. Tuners take their first configuration alone; keys of theirs that this release of Triton refuses are
    left out."""
    driver = driver_of(arch)
    triton.backends.backends["nvidia"] = dataclasses.replace(triton.backends.backends["nvidia"], driver=driver)
    triton.runtime.driver.set_active(driver())
    properties = types.SimpleNamespace(
        name="none", major=arch // 10, minor=0, multi_processor_count=SEVERAL_OF[arch], total_memory=80 << 30, warp_size=32,
        regs_per_multiprocessor=65536, max_threads_per_multi_processor=2048, L2_cache_size=50 << 20,
        shared_memory_per_block_optin=SHARED_BYTES[arch])
    # A function of its own for each: PyTorch tells them apart.
    answers = {"is_available": True, "device_count": 1, "current_device": 0, "set_device": None, "synchronize": None,
               "get_device_properties": properties, "get_device_capability": (arch // 10, 0), "get_device_name": "none",
               "is_bf16_supported": True, "_lazy_init": None, "empty_cache": None, "current_stream": Nothing()}
    for name, answer in answers.items():
        setattr(torch.cuda, name, (lambda said: lambda *_, **__: said)(answer))
    for name in ("device", "device_of", "Stream", "stream"):
        setattr(torch.cuda, name, type(name, (Nothing,), {}))
    original = autotuner.Autotuner.__init__

    def begin(self, fn, arg_names, configs, key, *given, **named):
        original(self, fn, arg_names, list(configs)[:1], [each for each in key if each in arg_names], *given, **named)

    autotuner.Autotuner.__init__ = begin
