# tilescope-ir 1
# ./dev lit tests/ops/fail_tma_load.py
# RUN: not tilescope opt --target sm_90a --passes '' %s 2>&1 | FileCheck %s

# OperandNoTmaBox: boxes are as wide as the swizzle of their tile, and have 256 rows at most. An mbarrier is 64 bits of
# shared memory; phases and bytes have limits.
@T.prim_func(properties=["lowered"])
def boxes(A: T.Tensor((1024, 128), "float16"), V: T.Tensor((1024,), "float16"), W: T.Tensor((64, 66), "float16")):
    a = T.alloc_shared((512, 64), "float16", layout="aligned_swizzle(128)", offset=0)
    loose = T.alloc_shared((64, 64), "float16", layout="swizzle(128)", offset=65536)
    v = T.alloc_shared((64,), "float16", offset=73728)
    full = T.alloc_shared((1,), "uint64", offset=73856)
    narrow = T.alloc_shared((1,), "uint32", offset=73864)
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{.*}}error: no copy of boxes moves what tma_load names: the box has 512 elements along a dimension, not 1 to 256
        T.tma_load(A[0:512, 0:64], a[0:512, 0:64], full[0])
        # CHECK: [[# @LINE + 1]]:{{.*}}error: no copy of boxes moves what tma_load names: a row of the box has 64 bytes, not the 128 of the swizzle
        T.tma_load(A[0:64, 0:32], a[0:64, 0:32], full[0])
        # CHECK: [[# @LINE + 1]]:{{.*}}error: no copy of boxes moves what tma_load names: the swizzle of its tile is not aligned
        T.tma_load(A[0:64, 0:64], loose[0:64, 0:64], full[0])
        # CHECK: [[# @LINE + 1]]:{{.*}}error: no copy of boxes moves what tma_load names: it has one dimension, not 2 to 5
        T.tma_load(V[0:64], v[0:64], full[0])
        # CHECK: [[# @LINE + 1]]:{{.*}}error: no copy of boxes moves what tma_load names: its rows are 132 bytes apart, which is no multiple of 16
        T.tma_load(W[0:64, 0:64], a[0:64, 0:64], full[0])
        # CHECK: [[# @LINE + 1]]:{{.*}}error: argument 'barrier' of mbarrier_init has type uint32, but must have type uint64
        T.mbarrier_init(narrow[0])
        # CHECK: [[# @LINE + 1]]:{{.*}}error: attribute 'arrivals' of mbarrier_init is 0, but must be 1 to 2^20 - 1
        T.mbarrier_init(full[0], arrivals=0)
        # CHECK: [[# @LINE + 1]]:{{.*}}error: attribute 'bytes' of mbarrier_arrive_expect is 0, but must be 1 to 2^20 - 1
        T.mbarrier_arrive_expect(full[0], bytes=0)
