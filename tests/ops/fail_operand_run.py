# tilescope-ir 1
# ./dev lit tests/ops/fail_operand_run.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# OperandRun: a thread moves contiguous elements.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    a = T.alloc_shared((64, 64), "float16")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: operand 'src' of cp_async has extents (1, 4) of float16, but must be a run of 16 bytes
        T.cp_async(A[tx, 0:4], a[tx, 0:4])
