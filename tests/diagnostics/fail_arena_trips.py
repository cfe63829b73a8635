# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_arena_trips.py
# RUN: not tilescope opt --passes simplify %s 2>&1 | FileCheck %s --implicit-check-not='is accessed while'

# Two copies are under way where the loop begins. Each of its trips waits for one, so both have arrived behind it where
# there are two trips, as there are of at least 4 here.
@T.prim_func(properties=["lowered", "barriers-placed", "arena-planned"])
def at_least_four(A: T.Tensor((32, 512), "float32"), O: T.Tensor((32, 128), "float32")):
    a = T.alloc_shared((512,), "float32", versions=2, offset=0)
    b = T.alloc_shared((1024,), "float32", offset=0)
    with T.Kernel(4, threads=128) as (bx, tx):
        last: T.int32 = T.min(bx * 4 + 8, 16)
        T.cp_async(A[bx * 4, tx * 4:tx * 4 + 4], a[0, tx * 4:tx * 4 + 4])
        T.commit_group()
        T.cp_async(A[bx * 4 + 1, tx * 4:tx * 4 + 4], a[1, tx * 4:tx * 4 + 4])
        T.commit_group()
        for k in T.serial(bx * 4, bx * 4 + (last - bx * 4), num_stages=2, versions={a: 2}, injected=True):
            T.wait_group(pending=1)
            T.barrier()
            O[k, tx] = a[(k - bx * 4) % 2, tx]
            T.barrier()
            if k - bx * 4 + 2 < last - bx * 4:
                T.cp_async(A[k + 2, tx * 4:tx * 4 + 4], a[(k - bx * 4) % 2, tx * 4:tx * 4 + 4])
            T.commit_group()
        b[tx] = 1.0
        O[bx, tx] = b[tx]

# In the last block one trip.
@T.prim_func(properties=["lowered", "barriers-placed", "arena-planned"])
def at_least_one(A: T.Tensor((32, 512), "float32"), O: T.Tensor((32, 128), "float32")):
    a = T.alloc_shared((512,), "float32", versions=2, offset=0)
    b = T.alloc_shared((1024,), "float32", offset=0)
    with T.Kernel(4, threads=128) as (bx, tx):
        last: T.int32 = T.min(bx * 4 + 8, 13)
        T.cp_async(A[bx * 4, tx * 4:tx * 4 + 4], a[0, tx * 4:tx * 4 + 4])
        T.commit_group()
        T.cp_async(A[bx * 4 + 1, tx * 4:tx * 4 + 4], a[1, tx * 4:tx * 4 + 4])
        T.commit_group()
        for k in T.serial(bx * 4, bx * 4 + (last - bx * 4), num_stages=2, versions={a: 2}, injected=True):
            T.wait_group(pending=1)
            T.barrier()
            O[k, tx] = a[(k - bx * 4) % 2, tx]
            T.barrier()
            if k - bx * 4 + 2 < last - bx * 4:
                T.cp_async(A[k + 2, tx * 4:tx * 4 + 4], a[(k - bx * 4) % 2, tx * 4:tx * 4 + 4])
            T.commit_group()
        # CHECK: [[# @LINE + 1]]:{{.*}}error: 'b' is accessed while an asynchronous copy of 'a' is in flight over its bytes [2,048, 4,096)
        b[tx] = 1.0
        # CHECK: [[# @LINE + 1]]:{{.*}}error: 'b' is accessed while an asynchronous copy of 'a' is in flight over its bytes [2,048, 4,096)
        O[bx, tx] = b[tx]
        # CHECK: error: a check fails after pass 'simplify'
