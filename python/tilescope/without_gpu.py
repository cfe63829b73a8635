"""Tensors of kernel files on machines without a GPU: their shapes and types are known, and nothing else of them is."""

import contextlib

import torch
from torch.overrides import TorchFunctionMode


def is_gpu_name(value) -> bool:
    return isinstance(value, (str, torch.device)) and str(value).partition(":")[0] == "cuda"


class WithoutMemory(TorchFunctionMode):
    """Whatever is asked for on a GPU lies on torch's "meta" device."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        if function is torch.Tensor.cuda:
            return args[0].to("meta")
        args = ["meta" if is_gpu_name(arg) else arg for arg in args]
        kwargs = {name: "meta" if is_gpu_name(value) else value for name, value in (kwargs or {}).items()}
        return function(*args, **kwargs)


def tensors_without_gpu():
    return contextlib.nullcontext() if torch.cuda.is_available() else WithoutMemory()
