# tilescope-ir 1
# ./dev lit tests/ops/fail_launch_extent.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# LaunchExtent: a grid has at most 65535 blocks along y and z.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: grid size 65536 along axis y; at most 65535 are possible
    with T.Kernel(1, 65536, threads=128) as (bx, by, tx):
        T.barrier()
