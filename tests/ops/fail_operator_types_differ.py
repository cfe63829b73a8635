# tilescope-ir 1
# ./dev lit tests/ops/fail_operator_types_differ.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# OperatorTypesDiffer: nothing is converted unless a cast says so.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: operands of '+' have types int32 and int64, but must have one type
        x: T.int32 = tx + T.int64(1)
