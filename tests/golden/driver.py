"""Loads and launches compiled kernels through the CUDA driver API, in the context that PyTorch uses."""

import ctypes

import torch

MAX_DYNAMIC_SHARED_SIZE = 8
FLOAT16, SWIZZLE_128B, PROMOTE_128B = 6, 3, 2

cuda = ctypes.CDLL("libcuda.so.1")


def call(name, *arguments):
    status = getattr(cuda, name)(*arguments)
    if status:
        text = ctypes.c_char_p()
        cuda.cuGetErrorString(status, ctypes.byref(text))
        raise RuntimeError(f"{name}: {(text.value or b'?').decode()}")


class TensorMap:
    """A map of float16 elements. Sizes and box innermost first, in elements; strides of all but the innermost."""

    def __init__(self, tensor, sizes, strides, box):
        self.memory = ctypes.create_string_buffer(192)
        self.address = (ctypes.addressof(self.memory) + 63) // 64 * 64
        rank = len(sizes)
        call("cuTensorMapEncodeTiled", ctypes.c_void_p(self.address), FLOAT16, rank,
             ctypes.c_void_p(tensor.data_ptr()), (ctypes.c_uint64 * rank)(*sizes),
             (ctypes.c_uint64 * (rank - 1))(*[2 * stride for stride in strides]), (ctypes.c_uint32 * rank)(*box),
             (ctypes.c_uint32 * rank)(*[1] * rank), 0, SWIZZLE_128B, PROMOTE_128B, 0)


def matrix(tensor, rows, columns, box_rows):
    return TensorMap(tensor, [columns, rows], [columns], [64, box_rows])


def panels(tensor, rows, columns, box_rows, box_panels):
    """A matrix as panels of 64 columns: one copy takes several of them."""
    return TensorMap(tensor, [64, rows, columns // 64], [columns, 64], [64, box_rows, box_panels])


class Kernel:
    def __init__(self, cubin, name, shared_bytes):
        torch.cuda.current_stream().synchronize()
        self.module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        call("cuModuleLoad", ctypes.byref(self.module), str(cubin).encode())
        call("cuModuleGetFunction", ctypes.byref(self.function), self.module, name.encode())
        call("cuFuncSetAttribute", self.function, MAX_DYNAMIC_SHARED_SIZE, shared_bytes)
        self.shared_bytes = shared_bytes

    def launch(self, blocks, threads, arguments):
        """Arguments are tensor maps, tensors, and values of ctypes."""
        kept = [ctypes.c_void_p(a.data_ptr()) if isinstance(a, torch.Tensor) else a for a in arguments]
        places = [a.address if isinstance(a, TensorMap) else ctypes.addressof(a) for a in kept]
        call("cuLaunchKernel", self.function, blocks, 1, 1, threads, 1, 1, self.shared_bytes,
             ctypes.c_void_p(torch.cuda.current_stream().cuda_stream), (ctypes.c_void_p * len(places))(*places), None)
