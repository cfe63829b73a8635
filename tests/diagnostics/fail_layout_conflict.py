# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_layout_conflict.py
# RUN: not tilescope opt %s --passes infer-layouts 2>&1 | FileCheck %s

# Two gemms want one accumulator spread over warps in two ways.
# CHECK: :[[@LINE+14]]:9: error: this statement cannot have the layout that it needs of fragment 'C_local': needs fragment({{.*}}), but it already has fragment({{.*}})
# CHECK: :[[@LINE+11]]:9: note: the layout comes from here: fragment(4@t32 2@r2 8@t4 | 8@r4 4@t1 2@r1)
# CHECK: :[[@LINE+12]]:9: note: a fragment that would serve here: fragment(4@r8 2@r2 8@t4 | 4@t32 2@r4 4@t1 2@r1); copies through shared memory move elements there
@T.prim_func(properties=["tile"])
def two_policies():
    A_shared = T.alloc_shared((64, 32), "float16")
    B_shared = T.alloc_shared((32, 64), "float16")
    C_local = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):


        # The first one decides.
        T.gemm(A_shared[0:64, 0:32], B_shared[0:32, 0:64], C_local[0:64, 0:64], policy="full_row")

        T.gemm(A_shared[0:64, 0:32], B_shared[0:32, 0:64], C_local[0:64, 0:64], policy="full_col")


# Nor can a move between fragments give elements to other threads.
# CHECK: :[[@LINE+12]]:9: error: this statement cannot have the layout that it needs of fragment 'C_local': elements along dimension 0 lie on other threads than the iterations; the copy is done by those that hold 'D_local', fragment(4@r8 2@r2 8@t4 | 4@t32 2@r4 4@t1 2@r1)
# CHECK: :[[@LINE+9]]:9: note: the layout comes from here: fragment(4@t32 2@r2 8@t4 | 8@r4 4@t1 2@r1)
# CHECK: :[[@LINE+10]]:9: note: a fragment that would serve here: fragment(4@r8 2@r2 8@t4 | 4@t32 2@r4 4@t1 2@r1); copies through shared memory move elements there
@T.prim_func(properties=["tile"])
def moved():
    A_shared = T.alloc_shared((64, 32), "float16")
    B_shared = T.alloc_shared((32, 64), "float16")
    C_local = T.alloc_fragment((64, 64), "float32")
    D_local = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.gemm(A_shared[0:64, 0:32], B_shared[0:32, 0:64], C_local[0:64, 0:64], policy="full_row")
        T.gemm(A_shared[0:64, 0:32], B_shared[0:32, 0:64], D_local[0:64, 0:64], policy="full_col")
        T.copy(C_local[0:64, 0:64], D_local[0:64, 0:64])
