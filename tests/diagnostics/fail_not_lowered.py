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
