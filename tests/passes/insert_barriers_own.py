# tilescope-ir 1
# ./dev lit tests/passes/insert_barriers_own.py
T.module(disable_thread_storage_sync=True)
# RUN: tilescope opt %s --passes insert-barriers | FileCheck %s

# The kernel has barriers for its own tile; the workspace, which it does not know of, gets one.
# CHECK-LABEL: def own(
# CHECK: s[tx] = A[tx]
# CHECK-NEXT: C[tx] = s[tx ^ 1]
# CHECK-NEXT: total_workspace[tx] = A[tx]
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: C[tx] = total_workspace[tx ^ 32]
@T.prim_func(properties=["lowered"])
def own(
    A: T.Tensor((64,), "float32"),
    C: T.Tensor((64,), "float32"),
):
    s = T.alloc_shared((64,), "float32")
    total_workspace = T.alloc_shared((64,), "float32", layout="row_major", source="total", role="workspace")
    with T.Kernel(1, threads=64) as (bx, tx):
        s[tx] = A[tx]
        C[tx] = s[tx ^ 1]
        total_workspace[tx] = A[tx]
        C[tx] = total_workspace[tx ^ 32]

# Tiles that share bytes are the compiler's doing.
# CHECK-LABEL: def shares_bytes(
# CHECK: s[tx] = A[tx]
# CHECK-NEXT: C[tx] = s[tx ^ 1]
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: t[tx] = A[tx]
# CHECK-NEXT: C[tx] = t[tx ^ 1]
@T.prim_func(properties=["lowered"])
def shares_bytes(
    A: T.Tensor((64,), "float32"),
    C: T.Tensor((64,), "float32"),
):
    s = T.alloc_shared((64,), "float32", layout="row_major", offset=0)
    t = T.alloc_shared((64,), "float32", layout="row_major", offset=0)
    with T.Kernel(1, threads=64) as (bx, tx):
        s[tx] = A[tx]
        C[tx] = s[tx ^ 1]
        t[tx] = A[tx]
        C[tx] = t[tx ^ 1]
