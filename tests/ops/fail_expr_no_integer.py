# tilescope-ir 1
# ./dev lit tests/ops/fail_expr_no_integer.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# ExprNoInteger: coordinates are integers.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: an index has type float32, but must be an integer
        A[1.0, 0] = T.float16(0.0)
