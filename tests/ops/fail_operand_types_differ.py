# tilescope-ir 1
# ./dev lit tests/ops/fail_operand_types_differ.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# OperandTypesDiffer: gemm multiplies one type.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    a = T.alloc_shared((64, 64), "float16")
    b = T.alloc_shared((64, 64), "bfloat16")
    c = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: operands 'a' and 'b' of gemm have types float16 and bfloat16, but must have one type
        T.gemm(a, b, c)
