# tilescope-ir 1
# ./dev lit tests/exec/mismatched_groups.py
# RUN: exits 1 tilescope exec %s | FileCheck %s
# RUN: sed -e '/# faulty$/d' -e 's/# mended: //' %s > %t.py && tilescope exec %t.py | FileCheck %s --check-prefix=MENDED
# MENDED: {{^}}elaborate runs

# Half of the threads have committed one group more, so that the newest one is another for them.
# CHECK: {{^}}elaborate WRONG
# CHECK-NEXT: threads that wait here have committed 3 and 2 groups, by thread 16 of block 0 [mismatched-groups]
# CHECK-NEXT: line [[#@LINE+17]]: T.wait_group(pending=1)
# CHECK-NOT: {{.}}

@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def mismatched_groups(
    A: T.Tensor((32,), "float32"),
    B: T.Tensor((32,), "float32", output=True),
):
    S = T.alloc_shared((32,), "float32", offset=0)
    U = T.alloc_shared((32,), "float32", offset=128)
    with T.Kernel(1, threads=32) as (bx, tx):
        T.cp_async(A[tx:tx + 1], S[tx:tx + 1], bytes=4)
        T.commit_group()
        T.cp_async(A[tx:tx + 1], U[tx:tx + 1], bytes=4)
        T.commit_group()
        if tx < 16:  # faulty
            T.commit_group()  # faulty
        T.wait_group(pending=1)
        B[tx] = S[tx]
        T.wait_group(pending=0)
