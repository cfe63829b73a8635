# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_fragment_copies_stale.py
# RUN: not tilescope opt %s --passes infer-layouts 2>&1 | FileCheck %s

# The accumulator dictates who runs an iteration; f would be held by all threads.
@T.prim_func(properties=["tile"])
def reversed_rows():
    A_shared = T.alloc_shared((64, 32), "float16")
    B_shared = T.alloc_shared((32, 64), "float16")
    C_local = T.alloc_fragment((64, 64), "float32")
    f = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.gemm(A_shared[0:64, 0:32], B_shared[0:32, 0:64], C_local[0:64, 0:64], policy="full_row")
        for i, j in T.Parallel(64, 64):
            # CHECK: :[[# @LINE + 2]]:{{.*}}error: not all threads that hold an element of fragment 'f' run the iteration that writes it: an element is held by 32 threads and an iteration is run by 1
            # CHECK: note: a tile in shared memory can be written at any index, and then be copied to the fragment
            f[63 - i, j] = C_local[i, j]
