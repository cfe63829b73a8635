# tilescope-ir 1
# ./dev lit tests/passes/vectorize.py
# RUN: tilescope opt %s --passes vectorize | FileCheck %s

# A conversion goes through a short array, and the store is one access.
# CHECK-LABEL: def converted_store(
# CHECK: C_vec = T.alloc_local((2,), "float16", source="C", role="vec")
# CHECK: col: T.int32 = tx * 2
# CHECK-NEXT: for v in T.unroll(0, 2):
# CHECK-NEXT: C_vec[v] = T.float16(C_local[v])
# CHECK-NEXT: T.vector_copy(C_vec[0:2], C[bx, col:col + 2], bytes=4)
@T.prim_func(properties=["lowered"])
def converted_store(
    C: T.Tensor((8, 64), "float16"),
):
    C_local = T.alloc_local((2,), "float32")
    with T.Kernel(8, threads=32) as (bx, tx):
        for v in T.unroll(0, 2):
            col: T.int32 = tx * 2 + v
            C[bx, col] = T.float16(C_local[v])

# Registers are the source and the target where nothing is computed.
# CHECK-LABEL: def plain_moves(
# CHECK-NEXT: A:
# CHECK-NOT: _vec
# CHECK: T.vector_copy(A[tx * 4:tx * 4 + 4], a[0:4])
# CHECK-NEXT: T.vector_copy(a[0:4], B_shared[tx * 4:tx * 4 + 4])
@T.prim_func(properties=["lowered"])
def plain_moves(
    A: T.Tensor((128,), "float32"),
):
    a = T.alloc_local((4,), "float32")
    B_shared = T.alloc_shared((128,), "float32", layout="row_major")
    with T.Kernel(1, threads=32) as (bx, tx):
        for v in T.unroll(0, 4):
            a[v] = A[tx * 4 + v]
        for v in T.unroll(0, 4):
            B_shared[tx * 4 + v] = a[v]

# A guard is asked once where it has one value for all elements: 8 divides 1000.
# CHECK-LABEL: def guarded(
# CHECK: col: T.int32 = tx * 8
# CHECK-NEXT: T.vector_copy(A[bx, col:col + 8], A_vec[0:8], predicate=col < 1000)
# CHECK-NEXT: for v in T.unroll(0, 8):
# CHECK-NEXT: B_vec[v] = A_vec[v] + T.float16(1.0)
# CHECK-NEXT: T.vector_copy(B_vec[0:8], B[bx, col:col + 8], predicate=col < 1000)
@T.prim_func(properties=["lowered"])
def guarded(
    A: T.Tensor((4, 1000), "float16"),
    B: T.Tensor((4, 1000), "float16"),
):
    with T.Kernel(4, threads=128) as (bx, tx):
        for v in T.unroll(0, 8):
            col: T.int32 = tx * 8 + v
            if col < 1000:
                B[bx, col] = A[bx, col] + T.float16(1.0)

# A vector copy that is forbidden clears shared memory: there the condition stays.
# CHECK-LABEL: def guarded_shared(
# CHECK: if tx % 32 == 0:
# CHECK-NEXT: T.vector_copy(a[0:4], s[tx // 32, 0:4])
@T.prim_func(properties=["lowered"])
def guarded_shared():
    s = T.alloc_shared((4, 4), "float32")
    a = T.alloc_local((4,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for v in T.unroll(0, 4):
            if tx % 32 == 0:
                s[tx // 32, v] = a[v]

# 16 bytes are one access; 8 floats are two.
# CHECK-LABEL: def two_accesses(
# CHECK: T.vector_copy(A[tx * 8:tx * 8 + 4], a[0:4])
# CHECK-NEXT: T.vector_copy(A[tx * 8 + 4:tx * 8 + {{8|4 \+ 4}}], a[4:8])
@T.prim_func(properties=["lowered"])
def two_accesses(
    A: T.Tensor((256,), "float32"),
):
    a = T.alloc_local((8,), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        for v in T.unroll(0, 8):
            a[v] = A[tx * 8 + v]

# Not adjacent, not aligned, or loaded where an earlier iteration stores: left as they are.
# CHECK-LABEL: def left_alone(
# CHECK-NOT: vector_copy
@T.prim_func(properties=["lowered"])
def left_alone(
    A: T.Tensor((1024,), "float32"),
    B: T.Tensor((64, 33), "float32"),
):
    a = T.alloc_local((4,), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        for v in T.unroll(0, 4):
            a[v] = A[tx * 8 + v * 2]
        for v in T.unroll(0, 4):
            a[v] = B[tx, v]
        for v in T.unroll(0, 4):
            A[tx * 8 + v + 1] = A[tx * 8 + v]

# A value that is bound once and used twice is loaded as wide as it would be by itself; what only it
# needs stands before it.
# CHECK-LABEL: def bound_value(
# CHECK: T.vector_copy(X[i:i + 4], X_vec[0:4])
# CHECK: for v in T.unroll(0, 4):
# CHECK-NEXT: value: T.float32 = X_vec[v]
# CHECK-NEXT: Y_vec[v] = value * value
# CHECK: T.vector_copy(Y_vec[0:4], Y[i:i + 4])
@T.prim_func(properties=["lowered"])
def bound_value(
    X: T.Tensor((512,), "float32"),
    Y: T.Tensor((512,), "float32"),
):
    with T.Kernel(1, threads=128) as (bx, tx):
        for v in T.unroll(0, 4):
            i: T.int32 = tx * 4 + v
            value: T.float32 = X[i]
            Y[i] = value * value

# A kept binding keeps those that it uses.
# CHECK-LABEL: def chain_of_bindings(
# CHECK: for v in T.unroll(0, 4):
# CHECK-NEXT: i_1: T.int32 = tx * 4 + v
# CHECK-NEXT: value: T.float32 = X[i_1 * 2]
# CHECK-NEXT: Y_vec[v] = value * value
@T.prim_func(properties=["lowered"])
def chain_of_bindings(
    X: T.Tensor((1024,), "float32"),
    Y: T.Tensor((512,), "float32"),
):
    with T.Kernel(1, threads=128) as (bx, tx):
        for v in T.unroll(0, 4):
            i: T.int32 = tx * 4 + v
            value: T.float32 = X[i * 2]
            Y[i] = value * value

# What an iteration stores and a later one loads through a binding stays in order.
# CHECK-LABEL: def carried_through_binding(
# CHECK-NOT: vector_copy
# CHECK: before: T.float32 = X[tx * 4 + v]
# CHECK-NEXT: X[tx * 4 + v + 1] = before + 1.0
@T.prim_func(properties=["lowered"])
def carried_through_binding(
    X: T.Tensor((1024,), "float32"),
):
    with T.Kernel(1, threads=128) as (bx, tx):
        for v in T.unroll(0, 4):
            before: T.float32 = X[tx * 4 + v]
            X[tx * 4 + v + 1] = before + 1.0

# A long loop is one over runs, of the longest part that divides it; where nothing becomes wide it stays.
# CHECK-LABEL: def long_loops(
# CHECK: for run in T.unroll(0, 3):
# CHECK-NEXT: T.vector_copy(A[tx * 24 + run * 8:tx * 24 + run * 8 + 4], a[run * 8:run * 8 + 4])
# CHECK-NEXT: T.vector_copy(A[tx * 24 + run * 8 + 4:tx * 24 + run * 8 + 8], a[run * 8 + 4:run * 8 + 8])
# CHECK: for v in T.unroll(0, 24):
# CHECK-NEXT: B[tx, 23 - v] = a[v]
@T.prim_func(properties=["lowered"])
def long_loops(
    A: T.Tensor((768,), "float32"),
    B: T.Tensor((32, 24), "float32"),
):
    a = T.alloc_local((24,), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        for v in T.vectorized(0, 24):
            a[v] = A[tx * 24 + v]
        for v in T.vectorized(0, 24):
            B[tx, 23 - v] = a[v]
