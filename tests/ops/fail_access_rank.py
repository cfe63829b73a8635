# tilescope-ir 1
# ./dev lit tests/ops/fail_access_rank.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# AccessRank: as many coordinates as axes.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'A' has 2 axes, but is accessed with 1 coordinates
        A[0] = T.float16(0.0)
