# tilescope-ir 1
# ./dev lit tests/passes/legalize_indices.py
# RUN: tilescope opt --passes legalize-indices %s | FileCheck %s

# CHECK-LABEL: def signs(
# CHECK: B[127, tx] = A[M - 1, tx]
# CHECK-NEXT: B[tx + 120, 0] = A[tx, 0]
# CHECK-NEXT: B[tx, 1] = A[rows[tx] + M if rows[tx] < 0 else rows[tx], 1]
# CHECK-NEXT: B[tx, 2] = A[rows[tx], 2] if rows[tx] >= 0 else T.float16(0.0)
@T.prim_func(properties=["lowered"])
def signs(
    A: T.Tensor((M, 64), "float16"),
    B: T.Tensor((128, 64), "float16"),
    rows: T.Tensor((64,), "int32"),
    M: T.int32,
):
    with T.Kernel(1, threads=8) as (bx, tx):
        B[-1, tx] = A[-1, tx]
        B[tx - 8, 0] = A[tx, 0]
        B[tx, 1] = A[rows[tx], 1]
        B[tx, 2] = A[rows[tx], 2] if rows[tx] >= 0 else T.float16(0.0)

# A box whose start has an unknown sign is guarded later, not wrapped.
# CHECK-LABEL: def boxes(
# CHECK: T.copy(A[M - 64:M, 0:64], A_shared[0:64, 0:64])
# CHECK-NEXT: T.copy(A[bx * 64 - 32:bx * 64 + 32, 0:64], A_shared[0:64, 0:64])
@T.prim_func(properties=["tile"])
def boxes(
    A: T.Tensor((M, 64), "float16"),
    M: T.int32,
):
    A_shared = T.alloc_shared((64, 64), "float16")
    with T.Kernel((M + 63) // 64, threads=128) as (bx, tx):
        T.copy(A[-64:0, 0:64], A_shared[0:64, 0:64])
        T.copy(A[bx * 64 - 32:bx * 64 + 32, 0:64], A_shared[0:64, 0:64])
