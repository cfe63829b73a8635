# tilescope-ir 1
# ./dev lit tests/ops/fail_reduce_axis.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# ReduceAxis: the axis is one of the source.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    a = T.alloc_fragment((64, 64), "float32")
    b = T.alloc_fragment((64,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: reduce along axis 2 of a region with 2 axes
        T.reduce(a, b, dim=2)
