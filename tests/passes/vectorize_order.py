# tilescope-ir 1
# ./dev lit tests/passes/vectorize_order.py
# RUN: tilescope opt %s --passes vectorize | FileCheck %s

# What is loaded after it was stored stays after it, and so the store stays in the loop; the load
# before it and the other store are wide.
# CHECK-LABEL: def store_then_load(
# CHECK: T.vector_copy(s[i:i + 4], s_vec[0:4])
# CHECK-NEXT: for v in T.unroll(0, 4):
# CHECK-NEXT: i_1: T.int32 = tx * 4 + v
# CHECK-NEXT: s[i_1] = s_vec[v] * 3.0
# CHECK-NEXT: t_vec[v] = s[i_1] + 1.0
# CHECK-NEXT: T.vector_copy(t_vec[0:4], t[i:i + 4])
@T.prim_func(properties=["lowered"])
def store_then_load():
    s = T.alloc_shared((512,), "float32", layout="row_major")
    t = T.alloc_shared((512,), "float32", layout="row_major")
    with T.Kernel(1, threads=128) as (bx, tx):
        for v in T.unroll(0, 4):
            i: T.int32 = tx * 4 + v
            s[i] = s[i] * 3.0
            t[i] = s[i] + 1.0

# A condition is a reader.
# CHECK-LABEL: def store_then_condition(
# CHECK: s[tx * 4 + v] = s_vec[v] + 0.5
# CHECK-NEXT: if s[tx * 4 + v] > 0.0:
# CHECK-NEXT: t[tx * 4 + v] = 7.0
# CHECK-NOT: vector_copy
@T.prim_func(properties=["lowered"])
def store_then_condition():
    s = T.alloc_shared((512,), "float32", layout="row_major")
    t = T.alloc_shared((512,), "float32", layout="row_major")
    with T.Kernel(1, threads=128) as (bx, tx):
        for v in T.unroll(0, 4):
            s[tx * 4 + v] = s[tx * 4 + v] + 0.5
            if s[tx * 4 + v] > 0.0:
                t[tx * 4 + v] = 7.0

# Registers that change after the store are copied before.
# CHECK-LABEL: def store_then_clear(
# CHECK: B_vec[v] = f[v]
# CHECK-NEXT: f[v] = 0.0
# CHECK: T.vector_copy(B_vec[0:4], B[tx * 4:tx * 4 + 4])
@T.prim_func(properties=["lowered"])
def store_then_clear(
    B: T.Tensor((512,), "float32"),
):
    f = T.alloc_local((4,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for v in T.unroll(0, 4):
            B[tx * 4 + v] = f[v]
            f[v] = 0.0

# Registers that are used before they are loaded are loaded through an array.
# CHECK-LABEL: def use_then_load(
# CHECK: T.vector_copy(C[tx * 4:tx * 4 + 4], C_vec[0:4])
# CHECK: g[v] = f[v] * 2.0
# CHECK-NEXT: f[v] = C_vec[v]
@T.prim_func(properties=["lowered"])
def use_then_load(
    C: T.Tensor((512,), "float32"),
):
    f = T.alloc_local((4,), "float32")
    g = T.alloc_local((4,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for v in T.unroll(0, 4):
            g[v] = f[v] * 2.0
            f[v] = C[tx * 4 + v]

# A condition that was asked once for two stores is not asked again after the first changed it.
# CHECK-LABEL: def condition_of_two_stores(
# CHECK-NOT: vector_copy
# CHECK: if s[tx * 4 + v] > 0.0:
# CHECK-NEXT: s[tx * 4 + v] = 0.0
# CHECK-NEXT: t[tx * 4 + v] = u[tx * 4 + v]
@T.prim_func(properties=["lowered"])
def condition_of_two_stores():
    s = T.alloc_shared((512,), "float32", layout="row_major")
    t = T.alloc_shared((512,), "float32", layout="row_major")
    u = T.alloc_shared((512,), "float32", layout="row_major")
    with T.Kernel(1, threads=128) as (bx, tx):
        for v in T.unroll(0, 4):
            if s[tx * 4 + v] > 0.0:
                s[tx * 4 + v] = 0.0
                t[tx * 4 + v] = u[tx * 4 + v]

# Where a wide access lies is computed once: not if the loop changes it.
# CHECK-LABEL: def place_changes(
# CHECK-NOT: vector_copy
# CHECK: t[n[0] * 4 + v] = 1.0
# CHECK-NEXT: n[0] = n[0] + v
@T.prim_func(properties=["lowered"])
def place_changes():
    t = T.alloc_shared((512,), "float32", layout="row_major")
    n = T.alloc_local((1,), "int32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for v in T.unroll(0, 4):
            t[n[0] * 4 + v] = 1.0
            n[0] = n[0] + v

# Nor is a binding that does not vary moved before a store to what it reads.
# CHECK-LABEL: def binding_changes(
# CHECK-NOT: vector_copy
# CHECK: first: T.float32 = s[0]
# CHECK-NEXT: s[tx * 4 + v] = first + 1.0
@T.prim_func(properties=["lowered"])
def binding_changes():
    s = T.alloc_shared((512,), "float32", layout="row_major")
    with T.Kernel(1, threads=128) as (bx, tx):
        for v in T.unroll(0, 4):
            first: T.float32 = s[0]
            s[tx * 4 + v] = first + 1.0

# Elements that are never the same, in one coordinate, in all threads: both accesses are wide.
# CHECK-LABEL: def halves_of_eight(
# CHECK: T.vector_copy(A[tx * 8 + 4:tx * 8 + 8], A_vec[0:4])
# CHECK-NEXT: T.vector_copy(A_vec[0:4], A[tx * 8:tx * 8 + 4])
# CHECK: T.vector_copy(a[0:4], s[1, tx * 4:tx * 4 + 4])
# CHECK-NEXT: T.vector_copy(a[4:8], s[0, tx * 4:tx * 4 + 4])
@T.prim_func(properties=["lowered"])
def halves_of_eight(
    A: T.Tensor((1024,), "float32"),
):
    s = T.alloc_shared((2, 512), "float32", layout="row_major")
    a = T.alloc_local((8,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for v in T.unroll(0, 4):
            A[tx * 8 + v] = A[tx * 8 + v + 4]
        for v in T.unroll(0, 4):
            s[1, tx * 4 + v] = a[v]
            s[0, tx * 4 + v] = a[v + 4]

# Two buffers that lie over each other are one memory.
# CHECK-LABEL: def bytes_shared(
# CHECK: s[tx * 4 + v] = a[v]
# CHECK-NEXT: a[v] = t[tx * 4 + v]
# CHECK-NOT: vector_copy
@T.prim_func(properties=["lowered"])
def bytes_shared():
    s = T.alloc_shared((512,), "float32", layout="row_major", offset=0)
    t = T.alloc_shared((512,), "float32", layout="row_major", offset=1024)
    a = T.alloc_local((4,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for v in T.unroll(0, 4):
            s[tx * 4 + v] = a[v]
            a[v] = t[tx * 4 + v]

# The right side of `and` is evaluated only where the left one holds: its load stays there.
# CHECK-LABEL: def right_of_and(
# CHECK-NOT: T.vector_copy(A
# CHECK: tx * 4 + v < 500 and A[tx * 4 + v] > 0.0
@T.prim_func(properties=["lowered"])
def right_of_and(
    A: T.Tensor((500,), "float32"),
    B: T.Tensor((512,), "float32"),
):
    with T.Kernel(1, threads=128) as (bx, tx):
        for v in T.unroll(0, 4):
            B[tx * 4 + v] = T.cast(tx * 4 + v < 500 and A[tx * 4 + v] > 0.0, "float32")
