# tilescope-ir 1
# ./dev lit tests/ops/fail_attribute_value.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# AttributeValue: cp.async moves 4, 8 or 16 bytes.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    a = T.alloc_shared((64, 64), "float16")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: attribute 'bytes' of cp_async is 2, but must be 4 or 8 or 16
        T.cp_async(A[tx, 0:1], a[tx, 0:1], bytes=2)
