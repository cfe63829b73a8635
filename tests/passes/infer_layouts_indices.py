# tilescope-ir 1
# ./dev lit tests/passes/infer_layouts_indices.py
# RUN: tilescope opt %s --passes infer-layouts | FileCheck %s

# Two values of a byte: the loop has the layout of the bytes, with a bit of j on registers.
# CHECK-LABEL: def divided(
# CHECK: packed = T.alloc_fragment((8, 64), "uint8", layout="fragment(8@t4 | 4@t1 16@r1)")
# CHECK-NEXT: values = T.alloc_fragment((8, 128), "float16", layout="fragment(8@t4 | 4@t1 32@r1)")
@T.prim_func(properties=["tile"])
def divided(
    P: T.Tensor((8, 64), "uint8"),
):
    packed = T.alloc_fragment((8, 64), "uint8")
    values = T.alloc_fragment((8, 128), "float16")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.copy(P[0:8, 0:64], packed[0:8, 0:64])
        for i, j in T.Parallel(8, 128):
            values[i, j] = T.cast(packed[i, j // 2], "float16")

# Rows and columns of a fragment of one dimension.
# CHECK-LABEL: def flattened(
# CHECK: f = T.alloc_fragment((256,), "float32", layout="fragment(2@r4 32@t1 4@r1)")
@T.prim_func(properties=["tile"])
def flattened(
    A: T.Tensor((4, 64), "float32"),
):
    f = T.alloc_fragment((256,), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        for i, j in T.Parallel(4, 64):
            f[i * 64 + j] = A[i, j]

# A serial step beside a parallel one: the lanes of an operand of tensor cores.
# CHECK-LABEL: def stepped(
# CHECK: part = T.alloc_fragment((16, 8), "float32", layout="fragment(2@r2 8@t4 | 4@t1 2@r1)")
@T.prim_func(properties=["tile"])
def stepped():
    B_shared = T.alloc_shared((16, 32), "float16")
    a = T.alloc_fragment((16, 32), "float16")
    part = T.alloc_fragment((16, 8), "float32")
    c = T.alloc_fragment((16, 16), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        for step in T.serial(4):
            for i, j in T.Parallel(16, 8):
                part[i, j] = T.cast(a[i, step * 8 + j], "float32")
        T.gemm(a[0:16, 0:32], B_shared[0:16, 0:32], c[0:16, 0:16], transpose_B=True)

# Planned in order, `mix` would spread the rows; the large tile is planned first then.
# CHECK-LABEL: def large_tile_first(
# CHECK: mix = T.alloc_fragment((4, 4), "float32", layout="fragment(4@r4 | 4@r1 ; 32@t1)")
# CHECK-NEXT: gain = T.alloc_fragment((4,), "float32", layout="fragment(4@r1 ; 32@t1)")
# CHECK-NEXT: x = T.alloc_fragment((4, 256), "float16", layout="fragment(4@r8 | 32@t1 8@r1)")
# CHECK-NEXT: y = T.alloc_fragment((4, 256), "float32", layout="fragment(4@r8 | 32@t1 8@r1)")
@T.prim_func(properties=["tile"])
def large_tile_first(
    Mix: T.Tensor((4, 4), "float32"),
    Gain: T.Tensor((4,), "float32"),
    X: T.Tensor((4, 256), "float16"),
):
    mix = T.alloc_fragment((4, 4), "float32")
    gain = T.alloc_fragment((4,), "float32")
    x = T.alloc_fragment((4, 256), "float16")
    y = T.alloc_fragment((4, 256), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.copy(Mix[0:4, 0:4], mix[0:4, 0:4])
        T.copy(Gain[0:4], gain[0:4])
        T.copy(X[0:4, 0:256], x[0:4, 0:256])
        for i, j in T.Parallel(4, 256):
            y[i, j] = gain[i]
            for k in T.serial(4):
                y[i, j] = y[i, j] + mix[k, i] * T.cast(x[k, j], "float32")

# Below the condition i leaves the bit of 16 to the constant: both halves lie on the threads of i.
# CHECK-LABEL: def half_of_rows(
# CHECK: for i, j in T.Parallel(32, 8, layout="fragment(2@r1 2@r4 8@t4 | 4@t1 2@r2)"):
@T.prim_func(properties=["tile"])
def half_of_rows():
    f = T.alloc_fragment((32, 8), "float32", layout="fragment(4@r2 8@t4 | 4@t1 2@r1)")
    s = T.alloc_shared((16, 8), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        for i, j in T.Parallel(32, 8):
            if i < 16:
                s[i, j] = f[i + 16, j]
