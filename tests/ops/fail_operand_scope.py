# tilescope-ir 1
# ./dev lit tests/ops/fail_operand_scope.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# OperandScope: gemm reads tiles.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    a = T.alloc_shared((64, 64), "float16")
    c = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: operand 'a' of gemm is in global, but must be in shared.dyn or shared or local.fragment
        T.gemm(A, a, c)
