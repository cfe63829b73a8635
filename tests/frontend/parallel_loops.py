# RUN: tilescope opt --passes '' %s:kernel 2>&1 | FileCheck %s
# ./dev lit tests/frontend/parallel_loops.py
# RUN: tilescope opt --passes '' %s:wide | FileCheck %s --check-prefix=WIDE
# RUN: tilescope exec --every-pass %s:wide | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RIGHT: insert-barriers#2 {{.*}}equal

# T.parallel makes one loop of the kind that T.Parallel makes; two, one right inside the other, are one.
import tilelang.language as T


@T.prim_func
def kernel(A: T.Tensor((8, 16), "int32")):
    with T.Kernel(1, threads=32):
        # CHECK: for i, j in T.Parallel(8, 16):
        # CHECK-NEXT: A[i, j] = i
        for i in T.parallel(8):
            for j in T.parallel(16):
                A[i, j] = i


# A step that the device knows.
# RUN: tilescope opt --passes '' %s:stepped | FileCheck %s --check-prefix=STEPPED
# RUN: tilescope exec --every-pass %s:stepped --dim n=2 | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
@T.prim_func
def stepped(A: T.Tensor((32, 16), "int32"), n: T.int32):
    with T.Kernel(1, threads=32):
        tx = T.get_thread_binding()
        # STEPPED: for i in T.serial(0, (14 + (n + 1 - 1)) // (n + 1)):
        # STEPPED-NEXT: i_1: T.int32 = 2 + i * (n + 1)
        for i in T.serial(2, 16, n + 1):
            A[tx, i] += 1
        for i in T.serial(16, step=tx + 1):
            A[tx, i] += 10


# Loops that are shared count in 32 bits; what the kernel computes with a variable of 64 has those.
@T.prim_func
def wide(A: T.Tensor((64, 64), "float32"), B: T.Tensor((64, 64), "int64")):
    with T.Kernel(1, threads=128):
        f = T.alloc_fragment((64, 64), "float32")
        # WIDE: for i, j in T.Parallel(64, 64):
        # WIDE-NEXT: f[i, j] = A[i, j // 2]
        # WIDE-NEXT: B[i, j] = T.int64(i) * T.int64(4294967296) + T.int64(f[i, j])
        for i, j in T.Parallel(T.int64(64), T.int64(64)):
            f[i, j] = A[i, j // 2]
            B[i, j] = i * 4294967296 + T.cast(f[i, j], "int64")
