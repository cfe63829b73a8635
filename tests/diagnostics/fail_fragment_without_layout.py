# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_fragment_without_layout.py
# RUN: not tilescope opt %s --passes infer-layouts 2>&1 | FileCheck %s

# Only half of the fragment is touched, so the loop does not say where the rest lies.
# CHECK: error: nothing says how fragment 'a' is spread over threads
@T.prim_func(properties=["tile"])
def half_used():
    a = T.alloc_fragment((64,), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        for i in T.Parallel(32):
            a[i] = 0.0
