"""What is measured: inputs and outputs of a problem, its rival, its reference, and how a variant is launched on it."""

import ctypes
import math

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

import cublas_lt
import driver


class Gemm:
    """Shapes are M, N, K, and 1 where A is transposed."""

    # Trips along K around the number of slots, one tile and several a block, more tiles than blocks.
    CHECKED = [(512, 512, 128), (512, 256, 192), (512, 512, 256), (1024, 768, 320), (1536, 1536, 576),
               (4096, 2304, 448), (4096, 4096, 4096)]
    CHECKED += [(256, 256, 192, 1), (1280, 1536, 576, 1), (1000, 776, 328), (4000, 4000, 4000)]
    TIMED = [(4096, 4096, 4096), (8192, 8192, 8192), (4096, 4096, 4096, 1), (4000, 4000, 4000)]
    FORMS = 1
    RIVAL = "cuBLAS"

    def __init__(self, shape, sets):
        self.m, self.n, self.k = shape[:3]
        self.transposed = len(shape) > 3
        self.work = 2 * self.m * self.n * self.k
        size_a = (self.k, self.m) if self.transposed else (self.m, self.k)
        self.sets = [[torch.randn(size_a, dtype=torch.float16, device="cuda"),
                      torch.randn(self.k, self.n, dtype=torch.float16, device="cuda"),
                      torch.empty(self.m, self.n, dtype=torch.float16, device="cuda")] for _ in range(sets)]

    @staticmethod
    def bytes_of(shape):
        m, n, k = shape[:3]
        return 2 * (m * k + k * n + m * n)

    @staticmethod
    def takes(variant, shape):
        ragged = shape[0] % 256 or shape[1] % 256 or shape[2] % 64
        return variant.get("TRANSPOSE_A") == len(shape) - 3 and (not ragged or variant.get("PANELS_APART"))

    def rival(self, index):
        a, b, c = self.sets[index % len(self.sets)]
        return torch.matmul(a.t() if self.transposed else a, b, out=c)

    def rivals(self):
        """By name, what else the rival could launch."""
        if self.transposed:
            return {}
        products = cublas_lt.Products(self.m, self.n, self.k)

        def launcher(proposal):
            return lambda index: products.multiply(proposal, *self.sets[index % len(self.sets)])
        return {f"cuBLASLt-{place}": launcher(proposal) for place, proposal in enumerate(products.proposals)}

    def reference(self, index):
        a, b, _ = self.sets[index]
        return (a.t() if self.transposed else a).float() @ b.float()

    def output(self, index):
        return self.sets[index][2]

    def launcher(self, variant, cubin):
        tile_m, tile_n, stages = (variant.get(macro) for macro in ("TILE_M", "TILE_N", "STAGES"))
        cluster, late = variant.get("CLUSTER"), variant.get("EPILOGUE")
        shared = stages * (tile_m + tile_n) * 128 + (2 * 16384 if late and variant.get("ROLES") else 0) + 16 * stages
        kernel = driver.Kernel(cubin, "gemm", shared)
        tiles = -(-self.m // tile_m) * -(-self.n // tile_n)
        blocks = min(tiles, variant.blocks or tiles)
        arguments = []
        for a, b, c in self.sets:
            maps = [driver.panels(a, self.k, self.m, 64, tile_m // 64) if self.transposed
                    else driver.matrix(a, self.m, self.k, tile_m)]
            if variant.get("PANELS_APART"):
                maps += [driver.matrix(b, self.k, self.n, 64), driver.matrix(c, self.m, self.n, 64)]
            else:
                maps += [driver.panels(b, self.k, self.n, 64, tile_n // 64 // cluster),
                         driver.panels(c, self.m, self.n, 64, 2)]
            arguments.append([*maps, c, *map(ctypes.c_int, (self.m, self.n, self.k))])
        threads = 256 + 32 * variant.get("LOAD_WARPS") * variant.get("ROLES")
        return lambda index: kernel.launch(blocks, threads, arguments[index % len(arguments)])


class Attention:
    """Shapes are batch, heads, length, D, causal; work counts half when causal."""

    CHECKED = [(1, 2, length, d, causal) for length in (128, 256, 384, 512, 640, 1152) for d in (128, 64)
               for causal in (0, 1)]
    CHECKED += [(2, 24, 1024, d, causal) for d in (128, 64) for causal in (0, 1)]
    TIMED = [(8, 32, length, d, causal) for d in (128, 64) for length in (4096, 1024) for causal in (0, 1)]
    FORMS = 2  # of each length
    RIVAL = "cuDNN"

    def __init__(self, shape, sets):
        self.batch, self.heads, self.length, self.d, self.causal = shape
        self.work = 4 * self.batch * self.heads * self.length**2 * self.d / (2 if self.causal else 1)
        self.sets = [[torch.randn(self.batch, self.heads, self.length, self.d, dtype=torch.float16, device="cuda")
                      for _ in range(4)] for _ in range(sets)]

    @staticmethod
    def bytes_of(shape):
        return 4 * 2 * shape[0] * shape[1] * shape[2] * shape[3]

    @staticmethod
    def takes(variant, shape):
        return (variant.get("HEAD_DIM"), variant.get("CAUSAL")) == shape[3:]

    def rival(self, index, backend=SDPBackend.CUDNN_ATTENTION):
        q, k, v, _ = self.sets[index % len(self.sets)]
        with sdpa_kernel(backend):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=bool(self.causal))

    def rivals(self):
        return {}

    def reference(self, index):
        q, k, v, _ = (tensor.float() for tensor in self.sets[index])
        scores = q @ k.transpose(2, 3) / self.d**0.5
        if self.causal:
            ones = torch.ones(self.length, self.length, dtype=torch.bool, device="cuda")
            scores = scores.masked_fill(ones.triu(1), float("-inf"))
        return scores.softmax(3) @ v

    def output(self, index):
        return self.sets[index][3]

    def launcher(self, variant, cubin):
        groups = variant.get("MATH_GROUPS")
        queries = 64 * groups
        shared = (queries * (variant.get("QUERY_SLOTS") + 1) + 128 * 4) * self.d * 2 + 168
        kernel = driver.Kernel(cubin, "attention", shared)
        rows = self.batch * self.heads * self.length
        tiles = self.batch * self.heads * -(-self.length // queries)
        blocks = min(tiles, variant.blocks or tiles)
        taken = torch.zeros(1, dtype=torch.int32, device="cuda")
        arguments = []
        for q, k, v, o in self.sets:
            arguments.append([driver.panels(q, rows, self.d, queries, self.d // 64),
                              *(driver.panels(tensor, rows, self.d, 128, self.d // 64) for tensor in (k, v)),
                              driver.panels(o, rows, self.d, 64, self.d // 64), ctypes.c_int(self.batch * self.heads),
                              ctypes.c_int(self.length), taken,
                              ctypes.c_float(math.log2(math.e) / self.d**0.5)])
        return lambda index: kernel.launch(blocks, 128 * (groups + 1), arguments[index % len(arguments)])


OF_SOURCE = {"gemm": Gemm, "attention": Attention}
