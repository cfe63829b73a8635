# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_not_lowered.py
# RUN: not tilescope opt %s --passes inject-pipeline,lower-tile-ops 2>&1 | FileCheck %s

# A layout in the text that does not fit its loop.
# CHECK: error: 'a' cannot be lowered: elements along dimension 0 lie on other threads than the iterations
@T.prim_func(properties=["tile", "layouts-inferred"])
def swapped():
    a = T.alloc_fragment((32,), "float32", layout="fragment(2@t16 16@t1)")
    with T.Kernel(1, threads=32) as (bx, tx):
        for i in T.Parallel(32, layout="fragment(16@t1 2@t16)"):
            a[i] = 0.0

# Nor one that leaves copies unwritten.
# CHECK: error: 'b' cannot be lowered: an element is held by 32 threads and an iteration is run by 1
@T.prim_func(properties=["tile", "layouts-inferred"])
def stale():
    b = T.alloc_fragment((32,), "float32", layout="fragment(32@r1 ; 32@t1)")
    with T.Kernel(1, threads=32) as (bx, tx):
        for i in T.Parallel(32, layout="fragment(32@t1)"):
            b[31 - i] = 0.0

# A fill with the value of a fragment touches that fragment, too.
# CHECK: error: 'd' cannot be lowered: dimension 0 is spread over threads and its index is not a variable of the parallel loop
@T.prim_func(properties=["tile", "layouts-inferred"])
def value_of_another():
    c = T.alloc_fragment((32,), "float32", layout="fragment(32@t1)")
    d = T.alloc_fragment((32,), "float32", layout="fragment(32@t1)")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.fill(c[0:32], d[3])

# All threads hold what plain statements touch: none may write an element of its own.
# CHECK: error: 'e' cannot be lowered: all threads hold all of its elements, but each would write another one here
@T.prim_func(properties=["tile", "layouts-inferred"])
def own_element():
    e = T.alloc_fragment((32,), "float32", layout="fragment(32@r1 ; 32@t1)")
    with T.Kernel(1, threads=32) as (bx, tx):
        e[tx] = 0.0
