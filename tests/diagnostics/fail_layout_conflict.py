# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_layout_conflict.py
# RUN: not tilescope opt %s --passes infer-layouts 2>&1 | FileCheck %s

# Two gemms want one accumulator spread over warps in two ways.
# CHECK: :[[@LINE+13]]:9: error: this statement cannot have the layout that it needs of fragment 'C_local': needs fragment({{.*}}), but it already has fragment({{.*}})
# CHECK: :[[@LINE+10]]:9: note: the layout comes from here
@T.prim_func(properties=["tile"])
def two_policies():
    A_shared = T.alloc_shared((64, 32), "float16")
    B_shared = T.alloc_shared((32, 64), "float16")
    C_local = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):


        # The first one decides.
        T.gemm(A_shared[0:64, 0:32], B_shared[0:32, 0:64], C_local[0:64, 0:64], policy="full_row")

        T.gemm(A_shared[0:64, 0:32], B_shared[0:32, 0:64], C_local[0:64, 0:64], policy="full_col")
