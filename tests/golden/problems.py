"""What is measured: inputs and outputs of a problem, its rival, its reference, and how a variant is launched on it."""

import ctypes
import math

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

import driver


class Gemm:
    # Trips along K around the number of slots, one tile and several a block, more tiles than blocks.
    CHECKED = [(512, 512, 128), (512, 256, 192), (512, 512, 256), (1024, 768, 320), (1536, 1536, 576),
               (4096, 2304, 448), (4096, 4096, 4096)]
    TIMED = [(4096, 4096, 4096), (8192, 8192, 8192)]
    FORMS = 1
    RIVAL = "cuBLAS"

    def __init__(self, shape, sets):
        self.m, self.n, self.k = self.shape = shape
        self.work = 2 * self.m * self.n * self.k
        self.sets = [[torch.randn(self.m, self.k, dtype=torch.float16, device="cuda"),
                      torch.randn(self.k, self.n, dtype=torch.float16, device="cuda"),
                      torch.empty(self.m, self.n, dtype=torch.float16, device="cuda")] for _ in range(sets)]

    @staticmethod
    def bytes_of(shape):
        m, n, k = shape
        return 2 * (m * k + k * n + m * n)

    @staticmethod
    def takes(_variant, _shape):
        return True

    def rival(self, index):
        a, b, c = self.sets[index % len(self.sets)]
        torch.matmul(a, b, out=c)

    def reference(self, index):
        a, b, _ = self.sets[index]
        return a.float() @ b.float()

    def output(self, index):
        return self.sets[index][2]

    def launcher(self, variant, cubin):
        tile_m, tile_n, stages = (variant.get(macro) for macro in ("TILE_M", "TILE_N", "STAGES"))
        cluster, late = variant.get("CLUSTER"), variant.get("EPILOGUE")
        shared = stages * (tile_m + tile_n) * 128 + (2 * 16384 if late and variant.get("ROLES") else 0) + 16 * stages
        kernel = driver.Kernel(cubin, "gemm", shared)
        tiles = self.m // tile_m * (self.n // tile_n)
        blocks = min(tiles, variant.blocks or tiles)
        arguments = []
        for a, b, c in self.sets:
            arguments.append([driver.TensorMap(a, [self.k, self.m], [self.k], [64, tile_m]),
                              driver.panels(b, self.k, self.n, 64, tile_n // 64 // cluster),
                              driver.panels(c, self.m, self.n, 64, 2),
                              c, ctypes.c_int(self.m), ctypes.c_int(self.n), ctypes.c_int(self.k)])
        threads = 256 + 128 * variant.get("ROLES")
        return lambda index: kernel.launch(blocks, threads, arguments[index % len(arguments)])


class Attention:
    """Shapes are batch, heads, length, causal; work counts half when causal."""

    CHECKED = [(1, 2, length, causal) for causal in (0, 1) for length in (128, 256, 384, 512, 640, 1152)]
    CHECKED += [(2, 24, 1024, causal) for causal in (0, 1)]
    TIMED = [(8, 32, 4096, 0), (8, 32, 4096, 1), (8, 32, 1024, 0), (8, 32, 1024, 1)]
    FORMS = 2  # of each length
    RIVAL = "cuDNN"
    D = 128

    def __init__(self, shape, sets):
        self.batch, self.heads, self.length, self.causal = self.shape = shape
        self.work = 4 * self.batch * self.heads * self.length**2 * self.D / (2 if self.causal else 1)
        self.sets = [[torch.randn(self.batch, self.heads, self.length, self.D, dtype=torch.float16, device="cuda")
                      for _ in range(4)] for _ in range(sets)]

    @staticmethod
    def bytes_of(shape):
        return 4 * 2 * shape[0] * shape[1] * shape[2] * Attention.D

    @staticmethod
    def takes(variant, shape):
        return variant.get("CAUSAL") == shape[3]

    def rival(self, index):
        q, k, v, _ = self.sets[index % len(self.sets)]
        with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
            torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=bool(self.causal))

    def reference(self, index):
        q, k, v, _ = (tensor.float() for tensor in self.sets[index])
        scores = q @ k.transpose(2, 3) / self.D**0.5
        if self.causal:
            ones = torch.ones(self.length, self.length, dtype=torch.bool, device="cuda")
            scores = scores.masked_fill(ones.triu(1), float("-inf"))
        return scores.softmax(3) @ v

    def output(self, index):
        return self.sets[index][3]

    def launcher(self, variant, cubin):
        kernel = driver.Kernel(cubin, "attention", (5 + variant.get("QUERY_SLOTS")) * 32768 + 168)
        rows = self.batch * self.heads * self.length
        tiles = rows // 128
        blocks = min(tiles, variant.blocks or tiles)
        taken = torch.zeros(1, dtype=torch.int32, device="cuda")
        arguments = []
        for q, k, v, o in self.sets:
            arguments.append([*(driver.panels(tensor, rows, self.D, 128, 2) for tensor in (q, k, v)),
                              driver.panels(o, rows, self.D, 64, 2), ctypes.c_int(self.batch * self.heads),
                              ctypes.c_int(self.length), taken,
                              ctypes.c_float(math.log2(math.e) / self.D**0.5)])
        return lambda index: kernel.launch(blocks, 384, arguments[index % len(arguments)])


OF_SOURCE = {"gemm": Gemm, "attention": Attention}
