# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_surplus_ir_argument.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# SurplusIrArgument: an operation takes what it declares.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: T.barrier takes no further argument
        T.barrier(A)
