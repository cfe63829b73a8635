# tilescope-ir 1
# ./dev lit tests/passes/infer_layouts.py
# RUN: tilescope opt %s --passes infer-layouts | FileCheck %s

# An accumulator lies as mma.sync wants it, shared operands are swizzled by the bytes of their rows,
# and the staging tile gets the layout that its rows allow.
# CHECK-LABEL: def gemm(
# CHECK: A_shared = T.alloc_shared((128, 32), "float16", layout="swizzle(64)")
# CHECK-NEXT: B_shared = T.alloc_shared((32, 128), "float16", layout="swizzle(128)")
# CHECK-NEXT: C_local = T.alloc_fragment((128, 128), "float32", layout="fragment(2@t32 4@r32 2@r2 8@t4 | 2@t64 8@r4 4@t1 2@r1)")
# CHECK-NEXT: C_shared = T.alloc_shared((128, 128), "float16", layout="swizzle(128)")
@T.prim_func(properties=["tile"])
def gemm(
    A: T.Tensor((1024, 1024), "float16"),
    B: T.Tensor((1024, 1024), "float16"),
    C: T.Tensor((1024, 1024), "float16", output=True),
):
    A_shared = T.alloc_shared((128, 32), "float16")
    B_shared = T.alloc_shared((32, 128), "float16")
    C_local = T.alloc_fragment((128, 128), "float32")
    C_shared = T.alloc_shared((128, 128), "float16")
    with T.Kernel(8, 8, threads=128) as (bx, by, tx):
        T.fill(C_local[0:128, 0:128], 0.0)
        for k in T.serial(0, 32):
            T.copy(A[by * 128:by * 128 + 128, k * 32:k * 32 + 32], A_shared[0:128, 0:32])
            T.copy(B[k * 32:k * 32 + 32, bx * 128:bx * 128 + 128], B_shared[0:32, 0:128])
            T.gemm(A_shared[0:128, 0:32], B_shared[0:32, 0:128], C_local[0:128, 0:128])
        T.copy(C_local[0:128, 0:128], C_shared[0:128, 0:128])
        T.copy(C_shared[0:128, 0:128], C[by * 128:by * 128 + 128, bx * 128:bx * 128 + 128])

# A parallel loop takes the layout of the accumulator that it covers; the bias, which has one of its
# dimensions, is held by all threads of a column.
# CHECK-LABEL: def epilogue(
# CHECK: C_local = T.alloc_fragment((32, 16), "float32", layout="fragment(2@t32 2@r2 8@t4 | 2@r4 4@t1 2@r1)")
# CHECK-NEXT: bias_local = T.alloc_fragment((16,), "float32", layout="fragment(2@r2 4@t1 2@r1 ; 16@t4)")
# CHECK: for i, j in T.Parallel(32, 16, layout="fragment(2@t32 2@r2 8@t4 | 2@r4 4@t1 2@r1)"):
@T.prim_func(properties=["tile"])
def epilogue(
    bias: T.Tensor((16,), "float32"),
):
    A_shared = T.alloc_shared((32, 16), "float16")
    B_shared = T.alloc_shared((16, 16), "float16")
    C_local = T.alloc_fragment((32, 16), "float32")
    bias_local = T.alloc_fragment((16,), "float32")
    with T.Kernel(1, threads=64) as (bx, tx):
        T.copy(bias[0:16], bias_local[0:16])
        T.gemm(A_shared[0:32, 0:16], B_shared[0:16, 0:16], C_local[0:32, 0:16], transpose_B=True, policy="full_row")
        for i, j in T.Parallel(32, 16):
            C_local[i, j] = C_local[i, j] + bias_local[j]

# Without instructions a loop is spread by the vectors that its memory allows, then over threads, and
# copies hand the layout on.
# CHECK-LABEL: def elementwise(
# CHECK: a = T.alloc_fragment((64, 32), "float16", layout="fragment(2@r8 32@t4 | 4@t1 8@r1)")
# CHECK: b = T.alloc_fragment((64, 32), "float32", layout="fragment(2@r8 32@t4 | 4@t1 8@r1)")
# CHECK: for i, j in T.Parallel(64, 32, layout="fragment(2@r8 32@t4 | 4@t1 8@r1)"):
@T.prim_func(properties=["tile"])
def elementwise(
    A: T.Tensor((1024, 32), "float16"),
    B: T.Tensor((1024, 32), "float32", output=True),
):
    a = T.alloc_fragment((64, 32), "float16")
    b = T.alloc_fragment((64, 32), "float32")
    with T.Kernel(16, threads=128) as (bx, tx):
        T.copy(A[bx * 64:bx * 64 + 64, 0:32], a[0:64, 0:32])
        for i, j in T.Parallel(64, 32):
            b[i, j] = T.float32(a[i, j]) * 2.0
        T.copy(b[0:64, 0:32], B[bx * 64:bx * 64 + 64, 0:32])

# An odd row length leaves no vectors; threads run along the row.
# CHECK-LABEL: def odd_rows(
# CHECK: for i, j in T.Parallel(8, 33, layout="fragment(8@r1 | 64@t1)"):
@T.prim_func(properties=["tile"])
def odd_rows(
    A: T.Tensor((8, 33), "float32", output=True),
):
    with T.Kernel(1, threads=64) as (bx, tx):
        for i, j in T.Parallel(8, 33):
            A[i, j] = 1.0

# The maximum of a row is held by the threads that hold parts of the row.
# CHECK-LABEL: def row_max(
# CHECK: top = T.alloc_fragment((32,), "float32", layout="fragment(2@t32 2@r1 8@t4 ; 4@t1)")
@T.prim_func(properties=["tile"])
def row_max():
    A_shared = T.alloc_shared((32, 16), "float16")
    B_shared = T.alloc_shared((16, 16), "float16")
    C_local = T.alloc_fragment((32, 16), "float32")
    top = T.alloc_fragment((32,), "float32")
    with T.Kernel(1, threads=64) as (bx, tx):
        T.gemm(A_shared[0:32, 0:16], B_shared[0:16, 0:16], C_local[0:32, 0:16], policy="full_row")
        T.reduce(C_local[0:32, 0:16], top[0:32], kind="max", dim=1)

# A fragment that plain statements touch is held by every thread.
# CHECK-LABEL: def floating(
# CHECK: flags = T.alloc_fragment((4,), "int32", layout="fragment(4@r1 ; 32@t1)")
@T.prim_func(properties=["tile"])
def floating(
    A: T.Tensor((4,), "int32"),
):
    flags = T.alloc_fragment((4,), "int32")
    with T.Kernel(1, threads=32) as (bx, tx):
        for i in T.serial(0, 4):
            flags[i] = A[i]

# Names for indices do not hide that rows are adjacent.
# CHECK-LABEL: def named_indices(
# CHECK: for i, j in T.Parallel(32, 32, layout="fragment(2@r4 16@t8 | 8@t1 4@r1)"):
@T.prim_func(properties=["tile"])
def named_indices(
    A: T.Tensor((512, 512), "float32"),
    C: T.Tensor((512, 512), "float32", output=True),
):
    with T.Kernel(16, 16, threads=128) as (bx, by, tx):
        for i, j in T.Parallel(32, 32):
            y: T.int32 = by * 32 + i
            x: T.int32 = bx * 32 + j
            C[y, x] = A[y, x] * 2.0

# A fragment that nothing touches needs no layout.
# CHECK-LABEL: def untouched(
# CHECK: spare = T.alloc_fragment((64, 64), "float32"){{$}}
@T.prim_func(properties=["tile"])
def untouched(
    A: T.Tensor((128,), "float32", output=True),
):
    spare = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for i in T.Parallel(128):
            A[i] = 1.0
