# RUN: tilescope opt --passes '' %s:shapes | FileCheck %s
# ./dev lit tests/frontend/host_tensors.py
# RUN: exits 2 tilescope opt --passes '' %s:elements 2>&1 | FileCheck %s --check-prefix=ELEMENTS

# Tensors that the file makes on its host have a shape and a type here, no elements.
import torch

import tilelang.language as T

a = torch.rand(64, 32, device="cuda", dtype=torch.float16) * 2 - 1
b = torch.zeros((8, 16))
c = torch.randint(0, 10, (4,), device="cuda")
M, K = a.shape


# CHECK: A: T.Tensor((64, 32), "float16")
# CHECK: A[0, 0] = T.float16(128.0)
# CHECK-NEXT: A[0, 1] = T.float16(16.0)
# CHECK-NEXT: A[0, 2] = T.float16(2048.0)
# CHECK-NEXT: A[0, 3] = T.float16(3.0)
# CHECK-NEXT: A[0, 4] = T.float16(4.0)
@T.prim_func
def shapes(A: T.Tensor((M, K), a.dtype), B: T.Tensor(b.shape, b.dtype), C: T.Tensor(c.shape, c.dtype)):
    with T.Kernel(1, threads=64):
        A[0, 0] = b.numel()
        A[0, 1] = torch.ones_like(b).size(-1)
        A[0, 2] = (a + a).numel()
        A[0, 3] = a.ndim + len(c.shape)
        A[0, 4] = torch.full((4, 4), 1.0).size()[0]


# OpaqueUsed
# ELEMENTS: error: 'torch.Tensor.max' is not evaluated here, but the kernel needs it
@T.prim_func
def elements(A: T.Tensor((M, K), "float16")):
    with T.Kernel(1, threads=64):
        A[0, 0] = a.max()
