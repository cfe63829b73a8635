# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_fragment_elements_elsewhere.py
# RUN: not tilescope opt %s --passes infer-layouts 2>&1 | FileCheck %s

# The element of a neighbouring row lies on another thread.
# CHECK: error: threads touch elements of fragment 'C_local' that they do not hold: dimension 0 is spread over threads and its index is not a variable of the parallel loop
# CHECK: note: the layout of the fragment comes from here
@T.prim_func(properties=["tile"])
def neighbour():
    A_shared = T.alloc_shared((64, 32), "float16")
    B_shared = T.alloc_shared((32, 64), "float16")
    C_local = T.alloc_fragment((64, 64), "float32")
    D_local = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.gemm(A_shared[0:64, 0:32], B_shared[0:32, 0:64], C_local[0:64, 0:64])
        for i, j in T.Parallel(64, 64):
            D_local[i, j] = C_local[i, j] + C_local[(i + 1) % 64, j]
