# tilescope-ir 1
# ./dev lit tests/ops/fail_gemm_extent.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# GemmExtent: the shapes of a product agree.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    a = T.alloc_shared((64, 32), "float16")
    b = T.alloc_shared((64, 64), "float16")
    c = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: extent K of gemm is 32 in 'a' but 64 in 'b'
        T.gemm(a, b, c)
