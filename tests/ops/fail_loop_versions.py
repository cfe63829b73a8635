# tilescope-ir 1
# ./dev lit tests/ops/fail_loop_versions.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# LoopVersions: a buffer has as many versions as its loops need at most.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    a = T.alloc_shared((4,), "int32", versions=2)
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: the loop uses 3 versions of buffer 'a', which has 2
        for k in T.serial(0, 4, num_stages=2, versions={a: 3}, injected=True):
            T.barrier()
