# tilescope-ir 1
# ./dev lit tests/passes/guard_memory_access.py
# RUN: tilescope opt --passes guard-memory-access %s | FileCheck %s

# Only coordinates that may leave the tensor are asked for; shared memory is not touched.
# CHECK-LABEL: def ragged_rows(
# CHECK: A_shared[tx, i] = A[by * 128 + tx, ko * 32 + i] if by * 128 + tx < M else T.float16(0.0)
# CHECK-NEXT: if by * 128 + tx < M:
# CHECK-NEXT: B[by * 128 + tx, ko * 32 + i] = A[by * 128 + tx, i]
# CHECK-NEXT: if by * 128 + tx < M:
# CHECK-NEXT: B[by * 128 + tx, 0] = A_shared[tx, 0]
@T.prim_func(properties=["lowered"])
def ragged_rows(
    A: T.Tensor((M, K), "float16"),
    B: T.Tensor((M, K), "float16"),
    M: T.int32,
    K: T.int32,
):
    A_shared = T.alloc_shared((128, 32), "float16")
    with T.Kernel((M + 127) // 128, threads=128) as (by, tx):
        for ko in T.serial(0, K // 32):
            for i in T.serial(0, 32):
                A_shared[tx, i] = A[by * 128 + tx, ko * 32 + i]
                B[by * 128 + tx, ko * 32 + i] = A[by * 128 + tx, i]
                if by * 128 + tx < M:
                    B[by * 128 + tx, 0] = A_shared[tx, 0]

# An index that comes from memory may have any value; the load of the index itself is inside.
# CHECK-LABEL: def gather(
# CHECK: B[tx] = A[rows[tx]] if rows[tx] >= 0 and rows[tx] < 4096 else 0.0
@T.prim_func(properties=["lowered"])
def gather(
    A: T.Tensor((4096,), "float32"),
    B: T.Tensor((128,), "float32"),
    rows: T.Tensor((128,), "int32"),
):
    with T.Kernel(1, threads=128) as (bx, tx):
        B[tx] = A[rows[tx]]

# A copy gets the condition as its predicate; what is inside by the loop's own guard needs none.
# CHECK-LABEL: def copies(
# CHECK: if ko + 2 < 32:
# CHECK-NEXT: row: T.int32 = tx // 4
# CHECK-NEXT: T.cp_async(A[by * 32 + row, {{.*}}], A_shared[row, {{.*}}], predicate=by * 32 + row < M)
# CHECK-NEXT: T.cp_async(B[(ko + 2) * 32 + row, {{.*}}], A_shared[row, {{[^,]*}}])
# CHECK-NEXT: T.cp_async(A[by * 32 + row, {{.*}}], A_shared[row, {{.*}}], predicate=tx < 64 and by * 32 + row < M)
# CHECK: if tx < N:
# CHECK-NEXT: T.atomic_element(D[tx], 1.0)
@T.prim_func(properties=["lowered"])
def copies(
    A: T.Tensor((M, 64), "float16"),
    B: T.Tensor((1024, 64), "float16"),
    D: T.Tensor((N,), "float32"),
    M: T.int32,
    N: T.int32,
):
    A_shared = T.alloc_shared((32, 64), "float16")
    with T.Kernel((M + 31) // 32, threads=128) as (by, tx):
        for ko in T.serial(0, 32):
            if ko + 2 < 32:
                row: T.int32 = tx // 4
                T.cp_async(A[by * 32 + row, 0:8], A_shared[row, 0:8])
                T.cp_async(B[(ko + 2) * 32 + row, 8:16], A_shared[row, 8:16])
                T.cp_async(A[by * 32 + row, 16:24], A_shared[row, 16:24], predicate=tx < 64)
        T.atomic_element(D[tx], 1.0)
