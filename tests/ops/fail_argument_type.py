# tilescope-ir 1
# ./dev lit tests/ops/fail_argument_type.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# ArgumentType: the value has the type of the buffer.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: argument 'value' of fill has type float32, but must have type float16
        T.fill(A, 0.0)
