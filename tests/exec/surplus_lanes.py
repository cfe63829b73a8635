# RUN: tilescope exec %s --every-pass | FileCheck %s --implicit-check-not=WRONG
# ./dev lit tests/exec/surplus_lanes.py

# Six of the eight lanes that share a row of 24 have elements of it, and all eight hold its sum.
import tilelang.language as T


# CHECK: {{^}}infer-layouts {{.*}}equal
@T.prim_func
def main(A: T.Tensor((16, 24), "float32"), B: T.Tensor((16,), "float32")):
    with T.Kernel(1, threads=64) as bx:
        rows = T.alloc_fragment((16, 24), "float32")
        sums = T.alloc_fragment((16,), "float32")
        T.copy(A, rows)
        T.reduce_sum(rows, sums, dim=1)
        T.copy(sums, B)
