# tilescope-ir 1
# ./dev lit tests/passes/lower_tile_ops.py
# RUN: tilescope opt %s --passes inject-pipeline,lower-tile-ops | FileCheck %s

# Each thread moves vectors of 16 bytes; only what the pipeline marked is asynchronous.
# CHECK-LABEL: def copies(
# Both copies of A ask for the same coordinates of a lane, that of B for others.
# CHECK: with T.Kernel(
# CHECK-NEXT: lane_row: T.int32 = tx // 4
# CHECK-NEXT: lane_col: T.int32 = tx % 4 * 8
# CHECK-NEXT: for row_step in T.unroll(0, 4):
# CHECK-NEXT: row: T.int32 = lane_row + row_step * 32
# CHECK-NEXT: T.cp_async(A[bx * 128 + row, lane_col:lane_col + 8], A_shared[row, lane_col:lane_col + 8])
# CHECK-NEXT: for row_step in T.unroll(0, 4):
# CHECK-NEXT: row: T.int32 = lane_row + row_step * 32
# CHECK-NEXT: T.vector_copy(A[bx * 128 + row, lane_col:lane_col + 8], A_shared[row, lane_col:lane_col + 8])
# CHECK-NEXT: lane_row_1: T.int32 = tx // 16
# CHECK-NEXT: lane_col_1: T.int32 = tx % 16 * 2
# CHECK: if lane_col_1 < 18:
# CHECK-NEXT: T.cp_async(B[row, lane_col_1:lane_col_1 + 2], B_shared[row, lane_col_1:lane_col_1 + 2], bytes=4)
@T.prim_func(properties=["tile", "layouts-inferred"])
def copies(
    A: T.Tensor((1024, 32), "float16"),
    B: T.Tensor((16, 18), "float16"),
):
    A_shared = T.alloc_shared((128, 32), "float16", layout="swizzle(64)")
    B_shared = T.alloc_shared((16, 18), "float16", layout="row_major")
    with T.Kernel(8, threads=128) as (bx, tx):
        T.copy(A[bx * 128:bx * 128 + 128, 0:32], A_shared[0:128, 0:32], is_async=True)
        T.copy(A[bx * 128:bx * 128 + 128, 0:32], A_shared[0:128, 0:32])
        T.copy(B[0:16, 0:18], B_shared[0:16, 0:18], is_async=True)

# A fragment becomes registers; its elements go where the thread holds them, converted on the way.
# CHECK-LABEL: def fragment_to_memory(
# CHECK: C_local = T.alloc_local((4,), "float32", layout="fragment(2@r2 8@t4 | 4@t1 2@r1)")
# CHECK: for r in T.unroll(0, 4):
# CHECK-NEXT: C_local[r] = 0.0
# CHECK: lane_row: T.int32 = tx // 4
# CHECK-NEXT: lane_col: T.int32 = tx % 4 * 2
# CHECK-NEXT: for row_step in T.unroll(0, 2):
# CHECK-NEXT: for col_step in T.unroll(0, 2):
# CHECK-NEXT: row: T.int32 = lane_row + row_step * 8
# CHECK-NEXT: col: T.int32 = lane_col + col_step
# CHECK-NEXT: C[row, col] = T.float16(C_local[row_step * 2 + col_step])
@T.prim_func(properties=["tile", "layouts-inferred"])
def fragment_to_memory(
    C: T.Tensor((16, 8), "float16"),
):
    C_local = T.alloc_fragment((16, 8), "float32", layout="fragment(2@r2 8@t4 | 4@t1 2@r1)")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.fill(C_local[0:16, 0:8], 0.0)
        T.copy(C_local[0:16, 0:8], C[0:16, 0:8])

# Iterations that do not exist are skipped, and of the threads that hold copies one writes.
# CHECK-LABEL: def overshoot_and_copies(
# CHECK: i: T.int32 = tx % 64
# CHECK-NEXT: if i < 48:
# CHECK-NEXT: total[0] = total[0] + 1.0
# CHECK-NEXT: if tx // 64 == 0:
# CHECK-NEXT: A[i] = total[0]
@T.prim_func(properties=["tile", "layouts-inferred"])
def overshoot_and_copies(
    A: T.Tensor((48,), "float32"),
):
    total = T.alloc_fragment((48,), "float32", layout="fragment(64@t1 ; 2@t64)")
    with T.Kernel(1, threads=128) as (bx, tx):
        for i in T.Parallel(48, layout="fragment(64@t1 ; 2@t64)"):
            total[i] = total[i] + 1.0
            A[i] = total[i]

# Threads without an element do nothing.
# CHECK-LABEL: def idle_threads(
# CHECK: lane_col: T.int32 = tx % 32
# CHECK-NEXT: if tx < 32:
# CHECK-NEXT: T.atomic_element(A[lane_col], a[0])
@T.prim_func(properties=["tile", "layouts-inferred"])
def idle_threads(
    A: T.Tensor((32,), "float32"),
):
    a = T.alloc_fragment((32,), "float32", layout="fragment(32@t1)")
    with T.Kernel(1, threads=64) as (bx, tx):
        T.atomic_tile(A[0:32], a[0:32])

# A row of the fragment that threads hold copies of, read through a loop over both dimensions.
# CHECK-LABEL: def broadcast(
# CHECK: C[i_step * 2 + j_step] = C[i_step * 2 + j_step] * scale[i_step]
@T.prim_func(properties=["tile", "layouts-inferred"])
def broadcast():
    C = T.alloc_fragment((16, 8), "float32", layout="fragment(2@r2 8@t4 | 4@t1 2@r1)")
    scale = T.alloc_fragment((16,), "float32", layout="fragment(2@r1 8@t4 ; 4@t1)")
    with T.Kernel(1, threads=32) as (bx, tx):
        for i, j in T.Parallel(16, 8, layout="fragment(2@r2 8@t4 | 4@t1 2@r1)"):
            C[i, j] = C[i, j] * scale[i]

# The schedule of a pipelined loop names tile statements; it is gone, what the loop versions is not.
# CHECK-LABEL: def pipelined(
# CHECK: for k in T.serial(0, 8, num_stages=2, versions={A_shared: 2}, injected=True):
# CHECK-NEXT: T.wait_group()
@T.prim_func(properties=["tile", "pipelined", "layouts-inferred"])
def pipelined():
    A_shared = T.alloc_shared((64, 8), "float16", versions=2, layout="row_major")
    with T.Kernel(1, threads=64) as (bx, tx):
        for k in T.serial(0, 8, num_stages=2, schedule=[(1, 0, 0, -1)], versions={A_shared: 2}, injected=True):
            T.wait_group()
            T.fill(A_shared[k % 2, 0:64, 0:8], T.float16(0.0))
