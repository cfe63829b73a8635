"""A transformer block by torch.compile. Without a GPU Inductor is told of one that is not there: by a device interface and a driver
of Triton's that run nothing. So all is compiled, and the run itself is left out.

usage: inductor_program.py [--threads N]    N processes compile, 1: this one"""

import argparse
import dataclasses
import os
import types

os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")
import torch
import torch._inductor.config
import triton
from torch._dynamo import device_interface
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.nn.attention.flex_attention import flex_attention
from triton.backends.compiler import GPUTarget

PROPERTIES = types.SimpleNamespace(
    name="none", major=9, minor=0, multi_processor_count=132, total_memory=80 << 30, regs_per_multiprocessor=65536, warp_size=32,
    max_threads_per_multi_processor=2048, max_threads_per_block=1024, shared_memory_per_block=49152,
    shared_memory_per_block_optin=232448, L2_cache_size=50 << 20, clock_rate=1980000, memory_clock_rate=2619000,
    memory_bus_width=5120, uuid="0")


class Block(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norms = torch.nn.ModuleList(torch.nn.LayerNorm(width) for _ in range(2))
        self.inner, self.outer = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)
        self.up, self.down = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.inner(self.norms[0](x)).view(batch, length, 3, self.heads, width // self.heads)
        mixed = flex_attention(*parts.permute(2, 0, 3, 1, 4))
        x = x + self.outer(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(torch.nn.functional.gelu(self.up(self.norms[1](x))))


class Device(device_interface.CudaInterface):
    class Worker(device_interface.CudaInterface.Worker):
        set_device = staticmethod(lambda device: None)
        current_device = staticmethod(lambda: 0)
        get_device_properties = staticmethod(lambda device=None: PROPERTIES)

    current_device = staticmethod(lambda: 0)
    set_device = synchronize = staticmethod(lambda device=None: None)
    device_count = staticmethod(lambda: 1)
    get_device_properties = staticmethod(lambda device=None: PROPERTIES)
    is_available = is_triton_capable = is_bf16_supported = staticmethod(lambda *_: True)
    get_compute_capability = staticmethod(lambda device=None: 90)
    raise_if_triton_unavailable = staticmethod(lambda device=None: None)
    get_raw_stream = exchange_device = maybe_exchange_device = staticmethod(lambda device: 0)


class Driver:
    utils = types.SimpleNamespace(
        get_device_properties=lambda device: {"max_shared_mem": 232448, "multiprocessor_count": 132},
        load_binary=lambda *_: (1, 2, 32, 0, 1024), unload_module=lambda module: None)
    is_active = staticmethod(lambda: True)

    def get_current_target(self):
        return GPUTarget("cuda", 90, 32)

    def get_current_device(self):
        return 0

    def get_current_stream(self, device):
        return 0

    def get_device_interface(self):
        return Device

    def launcher_cls(self, source, metadata):
        return lambda *_: None


def pretend():
    for name in ("cuda", "cuda:0"):
        device_interface.register_interface_for_device(name, Device)
    torch.cuda.get_device_capability = lambda device=None: (9, 0)
    torch.cuda.get_device_properties = lambda device=None: PROPERTIES
    backends = triton.backends.backends
    backends["nvidia"] = dataclasses.replace(backends["nvidia"], driver=Driver)
    triton.runtime.driver.set_active(Driver())
    # What would run on the device while it compiles.
    config = torch._inductor.config
    config.use_static_triton_launcher = config.joint_graph_constant_folding = config.triton.autotune_at_compile_time = False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=1)
    torch._inductor.config.compile_threads = parser.parse_args().threads
    torch.set_default_dtype(torch.float16)
    if torch.cuda.is_available():
        with torch.no_grad(), torch.device("cuda"):
            torch.manual_seed(7)
            block, x = Block(512, 8), torch.randn(4, 256, 512)
            print("result", float(torch.compile(block)(x).double().abs().sum()), "of", float(block(x).double().abs().sum()))
        return
    pretend()
    with FakeTensorMode(), torch.no_grad(), torch.device("cuda"):
        block, x = Block(512, 8), torch.empty(4, 256, 512)
        try:
            torch.compile(block)(x)
        except torch.AcceleratorError as error:
            print("compiled:", str(error).partition("\n")[0])


if __name__ == "__main__":
    main()
