# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_index_out_of_range.py
# RUN: not tilescope opt --passes legalize-indices %s 2>&1 | FileCheck %s
@T.prim_func(properties=["tile"])
def outside(
    A: T.Tensor((128, 64), "float16"),
):
    A_shared = T.alloc_shared((128, 64), "float16")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{.*}}error: index 128 in dimension 0 of 'A_shared' is out of range [0, 128)
        A_shared[128, 0] = T.float16(0.0)
        # CHECK: [[# @LINE + 1]]:{{.*}}error: index -1 in dimension 1 of 'A_shared' is out of range [0, 64)
        A_shared[0, -65] = T.float16(0.0)
        # CHECK: [[# @LINE + 2]]:{{.*}}error: index 128 in dimension 0 of 'A_shared' is out of range [0, 128)
        for i in T.Parallel(128):
            A_shared[i + 1, 0] = T.float16(0.0)
        # CHECK: [[# @LINE + 1]]:{{.*}}error: index 159 in dimension 0 of 'A_shared' is out of range [0, 128)
        T.copy(A[0:64, 0:64], A_shared[96:160, 0:64])
        # CHECK-NOT: error
        for i in T.Parallel(128):
            if i < 100:
                A_shared[i + 1, 0] = T.float16(0.0)
