# tilescope-ir 1
# ./dev lit tests/passes/plan_pipeline_gathers.py
# RUN: tilescope opt %s --passes plan-pipeline,inject-pipeline,infer-layouts,lower-tile-ops | FileCheck %s

# Each thread starts copies of 8 adjacent elements of the rows that it looks up; two iterations ahead.
# CHECK-LABEL: def rows(
# CHECK: S = T.alloc_shared((32, 64), "float16", versions=3
# CHECK: if 1 < n:
# CHECK: row: T.int32 = P[32 + i]
# CHECK-NEXT: T.cp_async(K[row, j:j + 8], S[1, i, j:j + 8], predicate=row >= 0)
# CHECK: T.commit_group()
# CHECK: for k in T.serial(0, n, num_stages=3
# CHECK: if k + 2 < n:
# CHECK: row: T.int32 = P[(k + 2) * 32 + i]
# CHECK-NEXT: T.cp_async(K[row, j:j + 8], S[(k + 2) % 3, i, j:j + 8], predicate=row >= 0)
# CHECK: T.commit_group()
@T.prim_func(properties=["tile"])
def rows(
    K: T.Tensor((512, 64), "float16"),
    P: T.Tensor((512,), "int32"),
    n: T.int32,
):
    S = T.alloc_shared((32, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=3):
            for i, j in T.Parallel(32, 64):
                row: T.int32 = P[k * 32 + i]
                S[i, j] = K[row, j] if row >= 0 else T.float16(0.0)
            T.gemm(S[0:32, 0:64], S[0:32, 0:64], C[0:64, 0:64], transpose_A=True)

# A row ends in the middle of a run, and two bytes are too few.
# CHECK-LABEL: def odd_rows(
# CHECK: for k in T.serial(0, 8):
# CHECK: S[i, j] = K[P[k * 32 + i], j]
@T.prim_func(properties=["tile"])
def odd_rows(
    K: T.Tensor((512, 63), "float16"),
    P: T.Tensor((256,), "int32"),
):
    S = T.alloc_shared((32, 32), "float16")
    C = T.alloc_fragment((32, 32), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=2):
            for i, j in T.Parallel(32, 32):
                S[i, j] = K[P[k * 32 + i], j]
            T.gemm(S[0:32, 0:32], S[0:32, 0:32], C[0:32, 0:32])

# Copies below a condition get one of their own, and what uses them keeps it.
# CHECK-LABEL: def masked(
# CHECK: S = T.alloc_shared((64, 64), "float16", versions=2
# CHECK: for k in T.serial(0, 8, num_stages=2
# CHECK: T.wait_group()
# CHECK: if k + 1 < 8:
# CHECK-NEXT: if M[k + 1] != 0:
# CHECK: T.cp_async(
# CHECK: T.commit_group()
# CHECK-NEXT: if M[k] != 0:
# CHECK: T.ldmatrix(
@T.prim_func(properties=["tile"])
def masked(
    A: T.Tensor((512, 64), "float16"),
    M: T.Tensor((8,), "int32"),
):
    S = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=2):
            if M[k] != 0:
                T.copy(A[k * 64:k * 64 + 64, 0:64], S[0:64, 0:64])
                T.gemm(S[0:64, 0:64], S[0:64, 0:64], C[0:64, 0:64])

# The loop changes the mask: whether an iteration copies is known only when it comes.
# CHECK-LABEL: def mask_changes(
# CHECK: for k in T.serial(0, 8):
# CHECK-NEXT: if M[k] != 0:
# CHECK: T.vector_copy(
@T.prim_func(properties=["tile"])
def mask_changes(
    A: T.Tensor((512, 64), "float16"),
    M: T.Tensor((8,), "int32"),
):
    S = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=2):
            if M[k] != 0:
                T.copy(A[k * 64:k * 64 + 64, 0:64], S[0:64, 0:64])
                T.gemm(S[0:64, 0:64], S[0:64, 0:64], C[0:64, 0:64])
            M[0] = 1

# What the tile holds is needed behind the loop: which iteration was the last to fill it is not known.
# CHECK-LABEL: def used_behind(
# CHECK: S = T.alloc_shared((64, 64), "float16", layout
@T.prim_func(properties=["tile"])
def used_behind(
    A: T.Tensor((512, 64), "float16"),
    M: T.Tensor((8,), "int32"),
):
    S = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.copy(A[0:64, 0:64], S[0:64, 0:64])
        for k in T.Pipelined(0, 8, num_stages=2):
            if M[k] != 0:
                T.copy(A[k * 64:k * 64 + 64, 0:64], S[0:64, 0:64])
                T.gemm(S[0:64, 0:64], S[0:64, 0:64], C[0:64, 0:64])
        T.gemm(S[0:64, 0:64], S[0:64, 0:64], C[0:64, 0:64])
