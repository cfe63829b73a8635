# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_ir_expected.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# IrExpected: IR text is a small part of Python.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: expected a statement of IR text
        raise tx
