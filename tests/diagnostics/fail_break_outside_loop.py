# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_break_outside_loop.py
# RUN: exits 2 tilescope opt --passes '' %s 2>&1 | FileCheck %s

# BreakOutsideLoop: a break ends the loop around it, and a parallel nest is none.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        for i in T.serial(4):
            for j in T.Parallel(64):
                # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: 'break' outside of a loop
                break
