# tilescope-ir 1
# ./dev lit tests/ops/fail_parallel_layout.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# ParallelLayout: the layout splits every loop variable.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: layout fragment(4@t1) does not fit a T.Parallel of 2 axes
        for i, j in T.Parallel(4, 4, layout="fragment(4@t1)"):
            A[i, j] = T.float16(0.0)
