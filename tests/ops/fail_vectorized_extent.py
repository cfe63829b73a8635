# tilescope-ir 1
# ./dev lit tests/ops/fail_vectorized_extent.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# VectorizedExtent: a vector has so many lanes.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: the extent of a vectorized loop must be constant
        for i in T.vectorized(0, tx):
            A[0, i] = T.float16(0.0)
