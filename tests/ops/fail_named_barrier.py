# tilescope-ir 1
# ./dev lit tests/ops/fail_named_barrier.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

@T.prim_func(properties=["tile"])
def numbers(B: T.Tensor((128,), "float32")):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{.*}}error: attribute 'number' of named_barrier is 0, but must be 1 to 15, since 0 is the barrier of all threads
        T.named_barrier(number=0, threads=64)
        # CHECK: [[# @LINE + 1]]:{{.*}}error: attribute 'threads' of named_barrier is 40, but must be a number of whole warps
        T.named_barrier(number=1, threads=40)
