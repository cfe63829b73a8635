# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s
# ./dev lit tests/diagnostics/fail_memory_order.py

# The memory of a tensor can be permuted by digits of its coordinates, in its own shape.
import tilelang.language as T


@T.prim_func
def kernel(A: T.Tensor((64, 32), "float32"), B: T.Tensor((60, 32), "float32"), C: T.Tensor((64, 32), "float32")):
    with T.Kernel(1, threads=128) as bx:
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: this layout on a global tensor ('A') is not supported yet
        T.annotate_layout({A: T.Layout(A.shape, lambda i, j: [i, j ^ i % 8])})
        # The last group of eight rows is not full.
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: this layout on a global tensor ('B') is not supported yet
        T.annotate_layout({B: T.Layout(B.shape, lambda i, j: [i // 8, j, i % 8])})
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: this layout on a global tensor ('C') is not supported yet
        T.annotate_layout({C: T.Layout([32, 64], lambda i, j: [j, i])})
