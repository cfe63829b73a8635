# tilescope-ir 1
# ./dev lit tests/passes/infer_layouts_writes.py
# RUN: tilescope opt %s --passes infer-layouts | FileCheck %s

# Who holds an element runs the iterations that write it. No digits of i place the element 255 - i:
# all threads hold all of f, and all run all of the loop.
# CHECK-LABEL: def reversed_index(
# CHECK: f = T.alloc_fragment((256,), "float32", layout="fragment(256@r1 ; 128@t1)")
# CHECK: for i in T.Parallel(256, layout="fragment(256@r1 ; 128@t1)"):
@T.prim_func(properties=["tile"])
def reversed_index(
    A: T.Tensor((256,), "float32"),
    B: T.Tensor((256,), "float32", output=True),
):
    f = T.alloc_fragment((256,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for i in T.Parallel(256):
            f[255 - i] = A[i]
        T.copy(f[0:256], B[0:256])

# The other variable still spreads the loop.
# CHECK-LABEL: def reversed_rows(
# CHECK: f = T.alloc_fragment((64, 32), "float32", layout="fragment(64@r1 | 32@t1 ; 4@t32)")
# CHECK: for i, j in T.Parallel(64, 32, layout="fragment(64@r1 | 32@t1 ; 4@t32)"):
@T.prim_func(properties=["tile"])
def reversed_rows(
    A: T.Tensor((64, 32), "float32"),
):
    f = T.alloc_fragment((64, 32), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for i, j in T.Parallel(64, 32):
            f[63 - i, j] = A[i, j]

# What bounds a loop is planned before what has a choice: the copy could take any layout.
# CHECK-LABEL: def copied_before(
# CHECK: f = T.alloc_fragment((256,), "float32", layout="fragment(256@r1 ; 128@t1)")
# CHECK: for i in T.Parallel(128, layout="fragment(128@r1 ; 128@t1)"):
@T.prim_func(properties=["tile"])
def copied_before(
    A: T.Tensor((256,), "float32"),
):
    f = T.alloc_fragment((256,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.copy(A[0:256], f[0:256])
        for i in T.Parallel(128):
            f[i * 2] = A[i]

# An index from memory, and a single element under a condition.
# CHECK-LABEL: def scattered(
# CHECK: f = T.alloc_fragment((32,), "float32", layout="fragment(32@r1 ; 64@t1)")
# CHECK-NEXT: g = T.alloc_fragment((1,), "float32", layout="fragment( ; 64@t1)")
# CHECK: for i in T.Parallel(32, layout="fragment(32@r1 ; 64@t1)"):
# CHECK: for i in T.Parallel(32, layout="fragment(32@r1 ; 64@t1)"):
@T.prim_func(properties=["tile"])
def scattered(
    A: T.Tensor((32,), "float32"),
    P: T.Tensor((32,), "int32"),
):
    f = T.alloc_fragment((32,), "float32")
    g = T.alloc_fragment((1,), "float32")
    with T.Kernel(1, threads=64) as (bx, tx):
        for i in T.Parallel(32):
            f[P[i]] = A[i]
        for i in T.Parallel(32):
            if i == 5:
                g[0] = A[i]

# One column is written into what a row has one of: no thread may run a part of a row.
# CHECK-LABEL: def column_of_row(
# CHECK: m = T.alloc_fragment((64,), "float32", layout="fragment(64@t1 ; 2@t64)")
# CHECK-NEXT: a = T.alloc_fragment((64, 32), "float32", layout="fragment(64@t1 | 32@r1 ; 2@t64)")
# CHECK: for i, j in T.Parallel(64, 32, layout="fragment(64@t1 | 32@r1 ; 2@t64)"):
@T.prim_func(properties=["tile"])
def column_of_row(
    A: T.Tensor((64, 32), "float32"),
):
    m = T.alloc_fragment((64,), "float32")
    a = T.alloc_fragment((64, 32), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.copy(A[0:64, 0:32], a[0:64, 0:32])
        for i, j in T.Parallel(64, 32):
            if j == 3:
                m[i] = a[i, j]

# A variable that comes twice spreads one axis.
# CHECK-LABEL: def diagonal(
# CHECK: f = T.alloc_fragment((32, 32), "float32", layout="fragment(32@t1 | 32@r1)")
# CHECK: for i in T.Parallel(32, layout="fragment(32@t1)"):
@T.prim_func(properties=["tile"])
def diagonal(
    A: T.Tensor((32,), "float32"),
):
    f = T.alloc_fragment((32, 32), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        for i in T.Parallel(32):
            f[i, i] = A[i]

# An index that is the same for all iterations keeps nobody from being spread.
# CHECK-LABEL: def serial_row(
# CHECK: f = T.alloc_fragment((4, 256), "float32", layout="fragment(4@r2 | 128@t1 2@r1)")
# CHECK: for i in T.Parallel(256, layout="fragment(128@t1 2@r1)"):
@T.prim_func(properties=["tile"])
def serial_row(
    A: T.Tensor((4, 256), "float32"),
):
    f = T.alloc_fragment((4, 256), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for k in T.serial(0, 4):
            for i in T.Parallel(256):
                f[k, i] = A[k, i]
