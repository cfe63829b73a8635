# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_parallel_extent_not_constant.py
# RUN: not tilescope opt %s --passes infer-layouts 2>&1 | FileCheck %s

# CHECK: :[[@LINE+9]]:9: error: the extents of this parallel loop are not positive constants
@T.prim_func(properties=["tile"])
def symbolic(
    A: T.Tensor((n,), "float32"),
    n: T.int32,
):
    x = T.alloc_fragment((64,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):

        for i in T.Parallel(n):
            x[i // 2] = A[i]
