# tilescope-ir 1
# ./dev lit tests/ops/fail_nested_launch.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# NestedLaunch: kernels do not launch kernels.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: a launch stands inside another
        with T.Kernel(1, threads=32) as (by, ty):
            T.barrier()
