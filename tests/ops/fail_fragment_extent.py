# tilescope-ir 1
# ./dev lit tests/ops/fail_fragment_extent.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# FragmentExtent: a fragment layout places every element.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: axis 1 of buffer 'a' has 64 elements, but its layout places 32
    a = T.alloc_fragment((4, 64), "int32", layout="fragment(4@t8 | 8@t1 4@r1)")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.barrier()
