# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_ir_name_taken.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# IrNameTaken: one name means one thing at a time.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: the name 'tx' is taken
        for tx in T.serial(0, 4):
            T.barrier()
