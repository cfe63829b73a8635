# tilescope-ir 1
# ./dev lit tests/ops/fail_illegal_at_level.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# IllegalAtLevel: tile operations are gone after lower-tile-ops.
@T.prim_func(properties=["lowered"])
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: T.fill may not stand in a function that is 'lowered'
        T.fill(A, T.float16(0.0))
