# RUN: tilescope opt --passes '' %s:global_rows | FileCheck %s --check-prefix=GLOBAL
# ./dev lit tests/frontend/run_time_extents.py
# RUN: tilescope opt --passes '' %s:tile_rows | FileCheck %s --check-prefix=TILE
# RUN: tilescope opt --passes '' %s:both_sides | FileCheck %s --check-prefix=BOTH
# RUN: tilescope opt --passes '' %s:wide | FileCheck %s --check-prefix=WIDE
# RUN: tilescope exec %s:wide --dim n=7 --every-pass 2>&1 | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s:wide_tile --dim n=9 --every-pass 2>&1 | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s:global_rows --dim count=300 --every-pass 2>&1 | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s:both_sides --dim m=5 --dim n=7 --every-pass 2>&1 | FileCheck %s --check-prefix=RUNS
# RUN: exits 2 tilescope compile %s:fragment 2>&1 | FileCheck %s --check-prefix=FRAGMENT

# Parallel loops, copies and fills whose extents only the launch or memory knows.
import tilelang.language as T

# RUNS: insert-barriers#2      equal

N = 1000


# Of global memory: the threads of the block take one iteration each at a time.
# GLOBAL: for i_chunk in T.serial(0, (count + 127) // 128):
# GLOBAL-NEXT: for i_lane in T.Parallel(128):
# GLOBAL-NEXT: if i_chunk * 128 + i_lane < count:
# GLOBAL-NEXT: i: T.int32 = i_chunk * 128 + i_lane
# GLOBAL-NEXT: B[i] = A[i] * 2.0
@T.prim_func
def global_rows(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32"), count: T.int32):
    with T.Kernel(1, threads=128):
        for i in T.Parallel(count):
            B[i] = A[i] * 2.0


# An iteration is inside of the tile that its variable is an index of.
# TILE: extent: T.int32 = Counts[bx]
# TILE-NEXT: for i, j in T.Parallel(60, 16):
# TILE-NEXT: if i < extent:
# TILE-NEXT: S[i + 4, j] = A[i, j]
# TILE: for i0, i1 in T.Parallel(64, 16):
# TILE-NEXT: if i0 < count:
# TILE-NEXT: S[i0, i1] = 0.0
# TILE: for i0, i1 in T.Parallel(64, 16):
# TILE-NEXT: if i0 < count:
# TILE-NEXT: B[i0, i1] = S[i0, i1]
@T.prim_func
def tile_rows(A: T.Tensor((N, 16), "float32"), B: T.Tensor((N, 16), "float32"), Counts: T.Tensor((4,), "int32")):
    with T.Kernel(4, threads=128) as bx:
        S = T.alloc_shared((64, 16), "float32")
        for i, j in T.Parallel(Counts[bx], 16):
            S[i + 4, j] = A[i, j]
        count = Counts[bx] - Counts[0]
        T.clear(S[0:count, :])
        T.copy(S[0:count, :], B[0:count, :])


# BOTH: for i_chunk in T.serial(0, (T.max(m, 0) * T.max(n, 0) + 127) // 128):
# BOTH: if i_chunk * 128 + i_lane < T.max(m, 0) * T.max(n, 0):
# BOTH-NEXT: j: T.int32 = (i_chunk * 128 + i_lane) % n
# BOTH-NEXT: i: T.int32 = (i_chunk * 128 + i_lane) // n
@T.prim_func
def both_sides(A: T.Tensor((16, 16), "float32"), m: T.int32, n: T.int32):
    with T.Kernel(1, threads=128):
        for i, j in T.Parallel(m, n):
            A[i, j] = 1.0


# Of different types: counted in the wider one.
# WIDE: if i_chunk * T.int64(128) + T.int64(i_lane) < T.max(n, T.int64(0)) * T.int64(16):
# WIDE: j: T.int32 = T.int32(
@T.prim_func
def wide(A: T.Tensor((16, 16), "float32"), n: T.int64):
    with T.Kernel(1, threads=128):
        for i, j in T.Parallel(n, 16):
            A[i, j] = 1.0


@T.prim_func
def wide_tile(A: T.Tensor((16, 16), "float32"), n: T.int64):
    with T.Kernel(1, threads=128):
        S = T.alloc_shared((16, 16), "float32")
        T.fill(S, 1.0)
        T.clear(S[0:n, :])
        T.copy(S, A)


# A fragment has the layout of a loop whose extents are known.
# FRAGMENT: error: the extents of this parallel loop are not positive constants
@T.prim_func
def fragment(A: T.Tensor((N,), "float32"), count: T.int32):
    with T.Kernel(1, threads=128):
        x = T.alloc_fragment((4,), "float32")
        T.clear(x)
        for i in T.Parallel(count):
            A[i] = x[i % 4]
