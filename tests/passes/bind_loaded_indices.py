# tilescope-ir 1
# ./dev lit tests/passes/bind_loaded_indices.py
# RUN: tilescope opt --passes bind-loaded-indices %s | FileCheck %s

# What stands in the condition in any case is named, with what it is made of first.
# CHECK-LABEL: def guarded(
# CHECK: table_value: T.int32 = table[tx]
# CHECK-NEXT: table_index: T.int32 = table_value + 8 if table_value < 0 else table_value
# CHECK-NEXT: B[tx] = A[table_index] if table_index >= 0 and table_index < 8 else 0.0


@T.prim_func(properties=["lowered"])
def guarded(A: T.Tensor((8,), "float32"), table: T.Tensor((32,), "int32"), B: T.Tensor((32,), "float32")):
    with T.Kernel(1, threads=32) as (bx, tx):
        B[tx] = A[table[tx] + 8 if table[tx] < 0 else table[tx]] if (table[tx] + 8 if table[tx] < 0 else table[tx]) >= 0 and (table[tx] + 8 if table[tx] < 0 else table[tx]) < 8 else 0.0


# What a condition guards may lie outside: it is not read ahead of it. Nor is what is read once named.
# CHECK-LABEL: def behind_a_condition(
# CHECK-NOT: _value
# CHECK: B[tx] = A[table[tx]] + A[table[tx] + 1] if tx < 8 else A[table[0]]
@T.prim_func(properties=["lowered"])
def behind_a_condition(A: T.Tensor((9,), "float32"), table: T.Tensor((8,), "int32"), B: T.Tensor((32,), "float32")):
    with T.Kernel(1, threads=32) as (bx, tx):
        B[tx] = A[table[tx]] + A[table[tx] + 1] if tx < 8 else A[table[0]]


# An element that is inside is named nevertheless, if nothing writes to the tensor.
# CHECK-LABEL: def inside(
# CHECK: sizes_value: T.int32 = sizes[bx]
# CHECK-NEXT: B[tx] = A[sizes_value] + A[sizes_value + 1] if tx < 8 else 0.0
# CHECK-NEXT: B[tx] = A[sizes[bx + 1]] + A[sizes[bx + 1] + 1] if bx + 1 < 4 else 0.0
# CHECK-NEXT: B[tx] = A[counts[bx]] + A[counts[bx] + 1] if tx < 8 else 0.0
@T.prim_func(properties=["lowered"])
def inside(A: T.Tensor((9,), "float32"), sizes: T.Tensor((4,), "int32"), counts: T.Tensor((4,), "int32"), B: T.Tensor((32,), "float32")):
    with T.Kernel(4, threads=32) as (bx, tx):
        B[tx] = A[sizes[bx]] + A[sizes[bx] + 1] if tx < 8 else T.float32(0.0)
        B[tx] = A[sizes[bx + 1]] + A[sizes[bx + 1] + 1] if bx + 1 < 4 else T.float32(0.0)
        B[tx] = A[counts[bx]] + A[counts[bx] + 1] if tx < 8 else T.float32(0.0)
        counts[bx] = 0


# The write of a statement comes after all that it reads, and the name is of this statement alone.
# CHECK-LABEL: def written_itself(
# CHECK: table_value: T.int32 = table[tx]
# CHECK-NEXT: table[tx] = table_value * table_value
# CHECK-NEXT: table_value_1: T.int32 = table[tx]
# CHECK-NEXT: table[tx] = table_value_1 + table_value_1 // 3
@T.prim_func(properties=["lowered"])
def written_itself(table: T.Tensor((32,), "int32")):
    with T.Kernel(1, threads=32) as (bx, tx):
        table[tx] = table[tx] * table[tx]
        table[tx] = table[tx] + table[tx] // 3


# An operation under a predicate reads nothing where that is false.
# CHECK-LABEL: def under_a_predicate(
# CHECK-NOT: _value
# CHECK: T.vector_copy(A[table[tx]], B[table[tx]], predicate=tx < 8, bytes=4)
# CHECK: table_value: T.int32 = table[tx]
# CHECK-NEXT: T.vector_copy(A[table_value], B[tx], predicate=table_value < 8, bytes=4)
@T.prim_func(properties=["lowered"])
def under_a_predicate(A: T.Tensor((8,), "float32"), table: T.Tensor((8,), "int32"), B: T.Tensor((32,), "float32")):
    with T.Kernel(1, threads=32) as (bx, tx):
        T.vector_copy(A[table[tx]], B[table[tx]], predicate=tx < 8, bytes=4)
        T.vector_copy(A[table[tx]], B[tx], predicate=table[tx] < 8, bytes=4)


# The argument of an atomic is its value, no predicate: its indices are read in any case. What is named for a part of
# one name serves the whole statement.
# CHECK-LABEL: def parts_of_names(
# CHECK: table_value: T.int32 = table[tx]
# CHECK-NEXT: table_index: T.int32 = table_value + 8 if table_value < 0 else table_value
# CHECK-NEXT: T.atomic_element(A[table_index, table_index], 1.0)
# CHECK-NEXT: table_value_1: T.int32 = table[tx]
# CHECK-NEXT: table_index_1: T.int32 = table_value_1 * 2
# CHECK-NEXT: B[tx] = table_index_1 * table_index_1 + table_value_1
@T.prim_func(properties=["lowered"])
def parts_of_names(A: T.Tensor((8, 8), "float32"), table: T.Tensor((32,), "int32"), B: T.Tensor((32,), "int32")):
    with T.Kernel(1, threads=32) as (bx, tx):
        T.atomic_element(A[table[tx] + 8 if table[tx] < 0 else table[tx], table[tx] + 8 if table[tx] < 0 else table[tx]], T.float32(1.0))
        B[tx] = table[tx] * 2 * (table[tx] * 2) + table[tx]


# What both values of a choice load is loaded in any case, of any type; what one of them leaves out is not.
# CHECK-LABEL: def of_both_values(
# CHECK: x_value: T.float32 = x[tx]
# CHECK-NEXT: y_value: T.float32 = y[tx]
# CHECK-NEXT: x[tx] = x_value + y_value if tx < 16 else y_value - x_value
# CHECK-NEXT: x[tx] = x[tx] if tx < 16 else y[tx] + y[tx]
# CHECK-NEXT: x[tx] = x[tx] if tx < 16 else y[tx] if tx < 24 else x[tx]
@T.prim_func(properties=["lowered"])
def of_both_values(x: T.Tensor((32,), "float32"), y: T.Tensor((32,), "float32")):
    with T.Kernel(1, threads=32) as (bx, tx):
        x[tx] = x[tx] + y[tx] if tx < 16 else y[tx] - x[tx]
        x[tx] = x[tx] if tx < 16 else y[tx] + y[tx]
        x[tx] = x[tx] if tx < 16 else (y[tx] if tx < 24 else x[tx])
