# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_arena_unsound.py
# RUN: not tilescope opt --passes simplify %s 2>&1 | FileCheck %s
@T.prim_func(properties=["lowered", "barriers-placed", "arena-planned"])
def clobbered(
    A: T.Tensor((8, 128), "float32"),
):
    a = T.alloc_shared((128,), "float32", offset=0)
    b = T.alloc_shared((128,), "float32", offset=256)
    with T.Kernel(8, threads=128) as (bx, tx):
        a[tx] = 0.0
        # CHECK: [[# @LINE + 2]]:{{.*}}error: 'a' is read after 'b' has overwritten its bytes [256, 512)
        b[tx] = 1.0
        A[bx, tx] = a[tx] + b[tx]
        # CHECK: [[# @LINE - 2]]:{{.*}}note: 'b' is accessed here

@T.prim_func(properties=["lowered", "barriers-placed", "arena-planned"])
def in_flight(
    A: T.Tensor((8, 128), "float32"),
):
    a = T.alloc_shared((512,), "float32", offset=0)
    b = T.alloc_shared((128,), "float32", offset=1024)
    with T.Kernel(8, threads=128) as (bx, tx):
        T.cp_async(A[0, tx % 32 * 4:tx % 32 * 4 + 4], a[tx * 4:tx * 4 + 4])
        T.commit_group()
        # CHECK: [[# @LINE + 1]]:{{.*}}error: 'b' is accessed while an asynchronous copy of 'a' is in flight over its bytes [1,024, 1,536)
        b[tx] = 1.0
        T.wait_group(pending=0)
        T.barrier()
        A[bx, tx] = b[tx]
        # CHECK: error: a check fails after pass 'simplify'
