# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_barrier_would_diverge.py
# RUN: not tilescope opt --passes insert-barriers %s 2>&1 | FileCheck %s
@T.prim_func(properties=["lowered"])
def divergent(
    A: T.Tensor((8, 128), "float32"),
):
    a = T.alloc_shared((128,), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        if tx < 64:
            # CHECK: [[# @LINE + 2]]:{{.*}}error: 'a' must be accessed after 'a' by all threads, but no barrier can stand between: threads disagree on the conditions around them
            a[tx] = 0.0
            A[bx, tx] = a[63 - tx]
            # CHECK: [[# @LINE - 2]]:{{.*}}note: 'a' is accessed here first
