# tilescope-ir 1
# ./dev lit tests/passes/infer_layouts_axes.py
# RUN: tilescope opt %s --passes infer-layouts | FileCheck %s

# Moves pair the axes whose extent is not 1: the others come and go.
# CHECK-LABEL: def axis_of_one(
# CHECK: a = T.alloc_fragment((1, 32), "float32", layout="fragment( | 32@t1)")
# CHECK-NEXT: b = T.alloc_fragment((32,), "float32", layout="fragment(32@t1)")
# CHECK-NEXT: c = T.alloc_fragment((32,), "float32", layout="fragment(32@t1)")
# CHECK-NEXT: d = T.alloc_fragment((1, 32, 1), "float32", layout="fragment( | 32@t1 | )")
@T.prim_func(properties=["tile"])
def axis_of_one(
    A: T.Tensor((1, 32), "float32"),
):
    a = T.alloc_fragment((1, 32), "float32")
    b = T.alloc_fragment((32,), "float32")
    c = T.alloc_fragment((32,), "float32")
    d = T.alloc_fragment((1, 32, 1), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.copy(A[0:1, 0:32], a[0:1, 0:32])
        T.reduce(a[0:1, 0:32], c[0:32], kind="max", dim=0)
        T.copy(a[0, 0:32], b[0:32])
        T.copy(b[0:32], d[0, 0:32, 0])
        for i in T.Parallel(32):
            b[i] = b[i] + c[i]

# The result of a reduction leaves out axes of extent 1 or keeps them.
# CHECK-LABEL: def reduced(
# CHECK: a = T.alloc_fragment((1, 32, 16), "float32", layout="fragment( | 4@r4 8@t4 | 4@t1 4@r1)")
# CHECK-NEXT: b = T.alloc_fragment((32,), "float32", layout="fragment(4@r1 8@t4 ; 4@t1)")
# CHECK-NEXT: c = T.alloc_fragment((1, 32, 1), "float32", layout="fragment( | 4@r1 8@t4 |  ; 4@t1)")
@T.prim_func(properties=["tile"])
def reduced(
    A: T.Tensor((1, 32, 16), "float32"),
):
    a = T.alloc_fragment((1, 32, 16), "float32")
    b = T.alloc_fragment((32,), "float32")
    c = T.alloc_fragment((1, 32, 1), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.copy(A[0:1, 0:32, 0:16], a[0:1, 0:32, 0:16])
        T.reduce(a[0:1, 0:32, 0:16], b[0:32], kind="sum", dim=2)
        T.reduce(a[0:1, 0:32, 0:16], c[0:1, 0:32, 0:1], kind="sum", dim=2)

# An accumulator may have axes before those of the matrix.
# CHECK-LABEL: def accumulator(
# CHECK: C_local = T.alloc_fragment((1, 32, 16), "float32", layout="fragment( | 2@t32 2@r2 8@t4 | 2@r4 4@t1 2@r1)")
@T.prim_func(properties=["tile"])
def accumulator():
    A_shared = T.alloc_shared((32, 16), "float16")
    B_shared = T.alloc_shared((16, 16), "float16")
    C_local = T.alloc_fragment((1, 32, 16), "float32")
    with T.Kernel(1, threads=64) as (bx, tx):
        T.gemm(A_shared[0:32, 0:16], B_shared[0:16, 0:16], C_local[0, 0:32, 0:16], policy="full_row")

# An axis that a statement touches at single places is not spread: its index chooses no thread.
# CHECK-LABEL: def rows_one_by_one(
# CHECK: a = T.alloc_fragment((4, 64), "float32", layout="fragment(4@r2 | 32@t1 2@r1)")
# CHECK-NEXT: b = T.alloc_fragment((64,), "float32", layout="fragment(32@t1 2@r1)")
# CHECK-NEXT: c = T.alloc_fragment((64, 4), "float32", layout="fragment(2@r4 32@t1 | 4@r1)")
@T.prim_func(properties=["tile"])
def rows_one_by_one(
    A: T.Tensor((4, 64), "float32"),
):
    a = T.alloc_fragment((4, 64), "float32")
    b = T.alloc_fragment((64,), "float32")
    c = T.alloc_fragment((64, 4), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.fill(c[0:64, 0:4], 0.0)
        for k in T.serial(0, 4):
            T.copy(A[k, 0:64], a[k, 0:64])
            T.fill(c[0:64, k], 1.0)
        T.copy(a[2, 0:64], b[0:64])
