"""The kernels that cuBLASLt proposes for a GEMM, best first by its own estimate."""

import ctypes

import torch

FLOAT16, FLOAT32, COMPUTE_FLOAT32 = 2, 0, 68
MAX_WORKSPACE_BYTES = 1  # the attribute of a preference
WORKSPACE_BYTES = 32 << 20
PROPOSALS = 8


class Proposal(ctypes.Structure):
    _fields_ = [("algorithm", ctypes.c_uint64 * 8), ("workspace", ctypes.c_size_t), ("state", ctypes.c_int),
                ("waves", ctypes.c_float), ("reserved", ctypes.c_int * 4)]


class Products:
    """C = A * B of float16 in rows, which cuBLAS sees as columns: its first operand is B."""

    def __init__(self, m, n, k):
        self.library = ctypes.CDLL("libcublasLt.so.13")
        self.handle, self.operation, preference = (ctypes.c_void_p() for _ in range(3))
        self.call("Create", ctypes.byref(self.handle))
        self.call("MatmulDescCreate", ctypes.byref(self.operation), COMPUTE_FLOAT32, FLOAT32)
        self.layouts = [self.layout(n, k), self.layout(k, m), self.layout(n, m), self.layout(n, m)]
        self.call("MatmulPreferenceCreate", ctypes.byref(preference))
        self.call("MatmulPreferenceSetAttribute", preference, MAX_WORKSPACE_BYTES,
                  ctypes.byref(ctypes.c_uint64(WORKSPACE_BYTES)), ctypes.c_size_t(8))
        proposals, count = (Proposal * PROPOSALS)(), ctypes.c_int()
        self.call("MatmulAlgoGetHeuristic", self.handle, self.operation, *self.layouts, preference, PROPOSALS,
                  proposals, ctypes.byref(count))
        self.proposals = proposals[:count.value]
        self.workspace = torch.empty(WORKSPACE_BYTES, dtype=torch.uint8, device="cuda")

    def call(self, name, *arguments):
        status = getattr(self.library, f"cublasLt{name}")(*arguments)
        if status:
            raise RuntimeError(f"cublasLt{name}: status {status}")

    def layout(self, rows, columns):
        layout = ctypes.c_void_p()
        self.call("MatrixLayoutCreate", ctypes.byref(layout), FLOAT16, ctypes.c_uint64(rows),
                  ctypes.c_uint64(columns), ctypes.c_int64(rows))
        return layout

    def multiply(self, proposal, a, b, c):
        first, second, result = (ctypes.c_void_p(tensor.data_ptr()) for tensor in (b, a, c))
        layouts = self.layouts
        self.call("Matmul", self.handle, self.operation, ctypes.byref(ctypes.c_float(1)), first, layouts[0], second,
                  layouts[1], ctypes.byref(ctypes.c_float(0)), result, layouts[2], result, layouts[3],
                  ctypes.byref(proposal), ctypes.c_void_p(self.workspace.data_ptr()),
                  ctypes.c_size_t(WORKSPACE_BYTES), ctypes.c_void_p(torch.cuda.current_stream().cuda_stream))
