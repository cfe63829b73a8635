# tilescope-ir 1
# ./dev lit tests/ops/fail_operand_extents_differ.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# OperandExtentsDiffer: a copy keeps the shape, but for axes of extent 1.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    a = T.alloc_shared((64, 64), "float16")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: operands 'src' and 'dst' of copy have extents (64, 32) and (32, 64), which do not agree
        T.copy(A[0:64, 0:32], a[0:32, 0:64])
