# tilescope-ir 1
# ./dev lit tests/ops/fail_fragment_rank.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# FragmentRank: a fragment layout splits every coordinate.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'a' has 2 axes, but its layout has 1
    a = T.alloc_fragment((4, 4), "int32", layout="fragment(4@t1)")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.barrier()
