# tilescope-ir 1
# ./dev lit tests/ops/fail_literal_range.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# LiteralRange: a literal fits its type.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: 300 is not a value of type int8
        A[0, 0] = T.float16(T.int8(300))
