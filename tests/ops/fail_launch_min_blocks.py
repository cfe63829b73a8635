# tilescope-ir 1
# ./dev lit tests/ops/fail_launch_min_blocks.py
# RUN: exits 2 tilescope opt --passes '' %s 2>&1 | FileCheck %s

# LaunchMinBlocks: no multiprocessor holds more than 32 blocks.
@T.prim_func
def many(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: a launch asks for 33 blocks on a multiprocessor; 0, for none, to 32 are possible
    with T.Kernel(1, threads=32, min_blocks=33) as (bx, tx):
        T.barrier()
