# tilescope-ir 1
# ./dev lit tests/ops/fail_operand_no_element.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# OperandNoElement: one thread adds to one element.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: operand 'dst' of atomic_element has extents (1, 2), but must be one element
        T.atomic_element(A[tx, 0:2], T.float16(1.0))
