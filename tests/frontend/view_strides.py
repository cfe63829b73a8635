# RUN: tilescope opt --passes '' %s:views | FileCheck %s
# ./dev lit tests/frontend/view_strides.py
# RUN: tilescope exec %s:views --every-pass | FileCheck %s --check-prefix=EXEC
# RUN: tilescope opt --passes '' %s:of_gaps | FileCheck %s --check-prefix=GAPS
# RUN: exits 2 tilescope opt --passes '' %s:negative 2>&1 | FileCheck %s --check-prefix=NEGATIVE
# RUN: exits 2 tilescope opt --passes '' %s:beyond 2>&1 | FileCheck %s --check-prefix=BEYOND
# RUN: exits 2 tilescope opt --passes '' %s:count 2>&1 | FileCheck %s --check-prefix=COUNT
# RUN: exits 2 tilescope opt --passes '' %s:between_rows 2>&1 | FileCheck %s --check-prefix=ROWS
# RUN: exits 2 tilescope opt --passes '' %s:without 2>&1 | FileCheck %s --check-prefix=WITHOUT

# Strides of a view count elements of its own type over the memory of what it is a view of. ViewStride: they are not negative;
# ViewBeyond: they stay in that memory.
import tilelang.language as T


# CHECK-LABEL: def views(
@T.prim_func
def views(A: T.Tensor((64, 32), "float32"), B: T.Tensor((32, 64), "float32"), C: T.Tensor((64, 32), "float32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        s = T.alloc_shared((64, 32), "float32")
        T.copy(A, s)
        columns = T.view(s, (32, 64), strides=(1, 32))
        quarters = T.view(s, (64, 4, 8), strides=(32, 8, 1))
        halves = T.view(s, (64, 64), "float16", strides=(64, 1))
        skewed = T.view(s, (8, 256), strides=(33, 1))
        first = T.view(s, (64, 32), strides=(32, 0))
        for i, j in T.Parallel(32, 64):
            # CHECK: B[i, j] = s[j, i]
            B[i, j] = columns[i, j]
        T.sync_threads()
        # CHECK: s[tx, 25] = s[tx, 21]
        quarters[tx, 3, 1] = quarters[tx, 2, 5]
        # A box of the tile, whose axes come in the same order.
        # CHECK: T.copy(s[0:64, 8:16], C[0:64, 0:8])
        T.copy(quarters[0:64, 1, 0:8], C[0:64, 0:8])
        T.sync_threads()
        # CHECK: s[(tx * 64 + 11) // 64, (tx * 64 + 11) // 2 % 32], "uint32") >> T.uint32((tx * 64 + 11) % 2)
        C[tx, 31] = T.cast(halves[tx, 11], "float32")
        for i in range(8):
            # CHECK: C[tx, i + 8] = s[(i * 33 + tx) // 32, (i * 33 + tx) % 32]
            C[tx, i + 8] = skewed[i, tx]
        # CHECK: C[tx, 30] = s[tx, 0]
        C[tx, 30] = first[tx, 7]


# EXEC-NOT: wrong


# Rows of the tensor do not follow each other, and are seen as rows of pairs.
# GAPS-LABEL: def of_gaps(
@T.prim_func
def of_gaps(A: T.StridedTensor((64, 32), (48, 1), "float32"), B: T.Tensor((64, 32), "float32")):
    with T.Kernel(1, threads=64):
        pairs = T.view(A, (64, 16, 2), strides=(48, 2, 1))
        for i, j in T.Parallel(64, 16):
            # GAPS: B[i, j] = A[i, j * 2 + 1]
            B[i, j] = pairs[i, j, 1]


@T.prim_func
def negative(A: T.Tensor((64, 32), "float32")):
    with T.Kernel(1, threads=64):
        # NEGATIVE: [[# @LINE + 1]]:{{.*}}: error: stride -1 of a view; 0 and above are possible
        T.view(A, strides=(32, -1))


@T.prim_func
def beyond(A: T.Tensor((64, 32), "float32")):
    with T.Kernel(1, threads=64):
        # BEYOND: [[# @LINE + 1]]:{{.*}}: error: with these strides a view of 'A' reaches element 2110 of it, which has 2048
        T.view(A, strides=(33, 1))


@T.prim_func
def count(A: T.Tensor((64, 32), "float32")):
    with T.Kernel(1, threads=64):
        # COUNT: [[# @LINE + 1]]:{{.*}}: error: 1 strides for 2 dimensions
        T.view(A, strides=(1,))


@T.prim_func
def between_rows(A: T.StridedTensor((64, 32), (48, 1), "float32")):
    with T.Kernel(1, threads=64):
        # ROWS: [[# @LINE + 1]]:{{.*}}: error: buffer 'rows' is a view of buffer b0, which is a tensor whose rows have gaps
        rows = T.view(A, (32, 64), strides=(64, 1))
        A[0, 0] = rows[1, 1]


@T.prim_func
def without(A: T.StridedTensor((64, 32), (48, 1), "float32")):
    with T.Kernel(1, threads=64):
        # WITHOUT: [[# @LINE + 1]]:{{.*}}: error: a view without strides of a tensor with strides is not supported yet
        T.view(A, (64, 16, 2))
