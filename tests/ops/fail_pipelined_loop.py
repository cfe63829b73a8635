# tilescope-ir 1
# ./dev lit tests/ops/fail_pipelined_loop.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# PipelinedLoop: inject-pipeline leaves no request behind.
@T.prim_func(properties=["tile", "pipelined"])
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: a loop asks for pipelining without saying how, or in a function that is 'pipelined'
        for k in T.Pipelined(0, 4, num_stages=2):
            T.barrier()
