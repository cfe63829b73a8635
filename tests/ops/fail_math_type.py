# tilescope-ir 1
# ./dev lit tests/ops/fail_math_type.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# OperatorType: of the math functions only abs is for integers.
@T.prim_func(properties=["tile"])
def f(A: T.Tensor((64,), "int32")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: 'exp' is not defined for type int32
        A[0] = T.exp(A[1])
        # CHECK-NOT: error
        A[0] = T.abs(A[1])
