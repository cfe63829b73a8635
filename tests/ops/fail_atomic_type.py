# tilescope-ir 1
# ./dev lit tests/ops/fail_atomic_type.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# OperatorType: CUDA adds atomically to integers of 32 bits and more and to floats of 16 and more.
@T.prim_func(properties=["tile"])
def f(A: T.Tensor((64,), "int8"), B: T.Tensor((64,), "float8_e4m3fn"), C: T.Tensor((64,), "int64")):
    A_local = T.alloc_fragment((64,), "int8")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: 'atomic_tile' is not defined for type int8
        T.atomic_tile(A[0:64], A_local[0:64])
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: 'atomic_element' is not defined for type float8_e4m3fn
        T.atomic_element(B[0], B[1])
        # CHECK-NOT: error
        T.atomic_element(C[0], C[1])
