# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_unknown_ir_variable.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# UnknownIrVariable: a loop variable ends with its loop.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        for i in T.serial(0, 4):
            T.barrier()
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: no variable is called 'i' here
        A[0, i] = T.float16(0.0)
