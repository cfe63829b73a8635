# tilescope-ir 1
# ./dev lit tests/ops/fail_fragment_threads.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# FragmentThreads: a layout speaks of threads that run.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: layout fragment(4@t32 | 32@t1) of 'a' spreads it over 128 threads, but its launch has 64
    a = T.alloc_fragment((4, 32), "int32", layout="fragment(4@t32 | 32@t1)")
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: layout fragment(2@r1 4@t1 ; 64@t4) of 'b' spreads it over 256 threads, but its launch has 64
    b = T.alloc_local((2,), "float32", layout="fragment(2@r1 4@t1 ; 64@t4)")
    # CHECK-NOT: 'c'
    c = T.alloc_fragment((32,), "int32", layout="fragment(32@t1)")
    with T.Kernel(1, threads=64) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: layout fragment(128@t1) of a T.Parallel spreads it over 128 threads, but its launch has 64
        for i in T.Parallel(128, layout="fragment(128@t1)"):
            A[0, i % 64] = T.float16(0.0)
