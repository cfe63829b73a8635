# tilescope-ir 1
# ./dev lit tests/ops/fail_launch_grid.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# LaunchGrid: a grid has three axes.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: a launch has 4 block variables and 4 grid extents, but must have one to three of each
    with T.Kernel(1, 2, 3, 4, threads=128) as (x, y, z, w, tx):
        T.barrier()
