# tilescope-ir 1
# ./dev lit tests/ops/fail_gemm_accumulator.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# GemmAccumulator: products of floats are floats.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    a = T.alloc_shared((64, 64), "float16")
    c = T.alloc_fragment((64, 64), "int32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: gemm cannot accumulate products of float16 in int32
        T.gemm(a, a, c)
