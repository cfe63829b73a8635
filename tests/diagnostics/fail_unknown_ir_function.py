# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_unknown_ir_function.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# UnknownIrFunction: operations stand in ops.def.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: 'T.frobnicate' means nothing here
        T.frobnicate(A)
