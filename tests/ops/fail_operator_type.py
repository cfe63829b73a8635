# tilescope-ir 1
# ./dev lit tests/ops/fail_operator_type.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# OperatorType: floor division is for integers.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: '//' is not defined for type float32
        x: T.float32 = 1.0 // 2.0
