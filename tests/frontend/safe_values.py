# RUN: tilescope opt --passes '' %s:reads 2>&1 | FileCheck %s
# ./dev lit tests/frontend/safe_values.py
# RUN: tilescope opt --passes '' %s:second 2>&1 | FileCheck %s --check-prefix=SECOND
# RUN: exits 2 tilescope opt --passes '' %s:bits 2>&1 | FileCheck %s --check-prefix=BITS
# RUN: exits 2 tilescope opt --passes '' %s:large 2>&1 | FileCheck %s --check-prefix=LARGE
# RUN: tilescope compile %s:reads -o - | FileCheck %s --check-prefix=CUDA
# RUN: tilescope exec --every-pass %s:reads --dim M=100 | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope opt --passes simplify %s:inside 2>&1 | FileCheck %s --check-prefix=INSIDE
# RUN: exits 2 tilescope opt --passes '' %s:other 2>&1 | FileCheck %s --check-prefix=OTHER
# RUN: exits 2 tilescope opt --passes '' %s:variable 2>&1 | FileCheck %s --check-prefix=VARIABLE
# RUN: exits 2 tilescope opt --passes '' %s:tile 2>&1 | FileCheck %s --check-prefix=TILE
# RIGHT: insert-barriers#2 {{.*}}equal

# T.annotate_safe_value says what is read outside of a tensor.
import tilelang.language as T

M = T.dynamic("M")


@T.prim_func
def reads(A: T.Tensor((M,), "float32"), B: T.Tensor((M,), "float32"), C: T.Tensor((2, 32), "float32")):
    with T.Kernel(2, threads=32) as bx:
        tile = T.alloc_shared((64,), "float16")
        # Before it, too; 0 is what it is anyway.
        # CHECK: for i in T.Parallel(32):
        # CHECK-NEXT: C[bx, i] = (A[bx * 64 + i - 1] if {{.*}} else -2.0) + B[bx * 64 + i]
        for i in T.Parallel(32):
            C[bx, i] = A[bx * 64 + i - 1] + B[bx * 64 + i]
        T.annotate_safe_value({A: -2, B: 0.0})
        # CHECK: for i0 in T.Parallel(64):
        # CHECK-NEXT: tile[i0] = T.float16(A[bx * 64 + i0] if bx * 64 + i0 >= 0 and bx * 64 + i0 < M else -2.0)
        # CUDA: -2.0
        T.copy(A[bx * 64], tile)
        for i in T.Parallel(32):
            C[bx, i] += tile[i] + tile[i + 32]


# No condition is left where all is inside.
@T.prim_func
def inside(A: T.Tensor((2, 64), "float32"), C: T.Tensor((2, 32), "float32")):
    with T.Kernel(2, threads=32) as bx:
        T.annotate_safe_value({A: T.float32(-2)})
        # INSIDE: C[bx, i] = A[bx, i + 32]
        for i in T.Parallel(32):
            C[bx, i] = A[bx, i + 32]


# OTHER: :[[# @LINE + 6]]:{{.*}}error: an operation other than T.copy that reads 'A', which T.annotate_safe_value gives a value, is not supported yet
@T.prim_func
def other(A: T.Tensor((M,), "float32")):
    with T.Kernel(2, threads=32) as bx:
        T.annotate_safe_value({A: 1})
        x = T.alloc_local((4,), "float32")
        T.ldg128(A[bx * 4])


# VARIABLE: :[[# @LINE + 4]]:{{.*}}error: expected a number of its type for each tensor, not a float32 expression
@T.prim_func
def variable(A: T.Tensor((M,), "float32"), B: T.Tensor((M,), "float32")):
    with T.Kernel(2, threads=32) as bx:
        T.annotate_safe_value({A: B[0]})


# TILE: :[[# @LINE + 5]]:{{.*}}error: expected a tensor as a key, not a buffer
@T.prim_func
def tile(A: T.Tensor((M,), "float32")):
    with T.Kernel(2, threads=32) as bx:
        x = T.alloc_shared((4,), "float32")
        T.annotate_safe_value({x: 1})


# Another launch knows nothing of it.
# SECOND: C[i] = A[i] if {{.*}} else -2.0
# SECOND: D[i] = A[i]{{$}}
@T.prim_func
def second(A: T.Tensor((M,), "float32"), C: T.Tensor((128,), "float32"), D: T.Tensor((128,), "float32")):
    with T.Kernel(1, threads=32):
        T.annotate_safe_value({A: -2})
        for i in T.Parallel(128):
            C[i] = A[i]
    with T.Kernel(1, threads=32):
        for i in T.Parallel(128):
            D[i] = A[i]


# BITS: :[[# @LINE + 5]]:{{.*}}error: a view of another element type of a tensor that T.annotate_safe_value gives a value is not supported yet
@T.prim_func
def bits(A: T.Tensor((128,), "float32"), C: T.Tensor((160,), "int32")):
    with T.Kernel(1, threads=32):
        T.annotate_safe_value({A: -2})
        V = T.view(A, (128,), "int32")
        for i in T.Parallel(160):
            C[i] = V[i]


# LARGE: error: expected a number of its type for each tensor, not {{.*}}
@T.prim_func
def large(A: T.Tensor((M,), "int8")):
    with T.Kernel(1, threads=32):
        T.annotate_safe_value({A: 300})
