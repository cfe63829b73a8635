# tilescope-ir 1
# ./dev lit tests/ops/fail_launch_threads.py
# RUN: exits 2 tilescope opt --passes '' %s 2>&1 | FileCheck %s

# LaunchThreads: a block has at most 1024 threads.
@T.prim_func
def many(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: a launch has 2048 threads, but may have 1 to 1024
    with T.Kernel(1, threads=2048) as (bx, tx):
        T.barrier()


# The text of a tile level is read with regard to what threads do; there are none here.
@T.prim_func(properties=["tile"])
def negative(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: a launch has -28 threads, but may have 1 to 1024
    with T.Kernel(1, threads=-28) as (bx, tx):
        if tx < 1:
            T.barrier()
