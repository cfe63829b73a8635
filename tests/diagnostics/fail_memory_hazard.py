# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_memory_hazard.py
# RUN: not tilescope opt --passes simplify %s 2>&1 | FileCheck %s
@T.prim_func(properties=["lowered", "barriers-placed", "arena-planned", "barriers-final"])
def hazards(
    A: T.Tensor((8, 512), "float32"),
):
    a = T.alloc_shared((128,), "float32", offset=0)
    b = T.alloc_shared((512,), "float32", offset=512)
    with T.Kernel(8, threads=128) as (bx, tx):
        a[tx] = 0.0
        # CHECK: [[# @LINE + 1]]:{{.*}}error: no barrier between this access of 'a' and that of 'a' by other threads
        A[bx, tx] = a[127 - tx]
        # CHECK: [[# @LINE - 3]]:{{.*}}note: 'a' is accessed here first
        T.cp_async(A[0, tx * 4:tx * 4 + 4], b[tx * 4:tx * 4 + 4])
        T.commit_group()
        # CHECK: [[# @LINE + 1]]:{{.*}}error: 'b' is accessed before the asynchronous copy of 'b' has been waited for
        A[bx, tx] = b[tx]
        T.wait_group(pending=0)
        # CHECK: [[# @LINE + 1]]:{{.*}}error: 'b' is accessed after a wait for the copy of 'b', but no barrier lets other threads know
        A[bx, tx] = b[tx]
        for k in T.serial(0, 2):
            T.barrier()
            A[bx, tx] = b[127 - tx]
            # CHECK: [[# @LINE + 1]]:{{.*}}error: no barrier between this access of 'b' and that of 'b' by other threads
            b[tx] = 0.0
            # CHECK: [[# @LINE - 3]]:{{.*}}note: 'b' is accessed here first
