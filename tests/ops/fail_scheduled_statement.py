# tilescope-ir 1
# ./dev lit tests/ops/fail_scheduled_statement.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# ScheduledStatement: a statement is scheduled once.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: the schedule names s{{[0-9]+}}, which is no statement of the body, or names it twice
        for k in T.Pipelined(0, 4, num_stages=2, schedule=[(0, 0, 0, -1), (0, 1, 1, -1)]):
            T.barrier()
            T.barrier()
