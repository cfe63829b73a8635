# tilescope-ir 1
# ./dev lit tests/diagnostics/store_never_happens.py
# RUN: tilescope opt --passes guard-memory-access %s -o %t 2>&1 | FileCheck %s --implicit-check-not=warning:

# StoreNeverHappens: the guard that a store gets is false, so the store and what feeds it go.
@T.prim_func(properties=["lowered"])
def outside(
    A: T.Tensor((128,), "float32"),
    B: T.Tensor((N,), "float32"),
    N: T.int32,
):
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: :[[# @LINE + 1]]:9: warning: this store to 'A' never happens: whatever the indices, it is out of range
        A[tx + 128] = T.float32(0.0)
        # CHECK: :[[# @LINE + 1]]:9: warning: this store to 'B' never happens: whatever the indices, it is out of range
        T.atomic_element(B[tx + N], T.float32(1.0))
        A[tx] = B[tx + 1]
        A[tx + 1] = B[tx]
