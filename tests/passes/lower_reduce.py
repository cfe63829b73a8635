# tilescope-ir 1
# ./dev lit tests/passes/lower_reduce.py
# RUN: tilescope opt %s --passes inject-pipeline,infer-layouts,lower-tile-ops | FileCheck %s

# Four lanes hold a row of the accumulator; each has four of its columns.
# CHECK-LABEL: def row_max(
# CHECK: top = T.alloc_local((2,), "float32", layout="fragment(2@t32 2@r1 8@t4 ; 4@t1)")
# CHECK: for r in T.unroll(0, 2):
# CHECK-NEXT: top[r] = -T.infinity("float32")
# CHECK: top[row_step] = T.max(top[row_step], scores[{{.*}}])
# CHECK-NEXT: for r in T.unroll(0, 2):
# CHECK-NEXT: T.shuffle(top_other[0], top[r], 1, kind="xor")
# CHECK-NEXT: top[r] = T.max(top[r], top_other[0])
# CHECK-NEXT: T.shuffle(top_other[0], top[r], 2, kind="xor")
# CHECK-NEXT: top[r] = T.max(top[r], top_other[0])
@T.prim_func(properties=["tile"])
def row_max():
    A_shared = T.alloc_shared((32, 16), "float16")
    B_shared = T.alloc_shared((16, 16), "float16")
    scores = T.alloc_fragment((32, 16), "float32")
    top = T.alloc_fragment((32,), "float32")
    with T.Kernel(1, threads=64) as (bx, tx):
        T.gemm(A_shared[0:32, 0:16], B_shared[0:16, 0:16], scores[0:32, 0:16], policy="full_row")
        T.reduce(scores[0:32, 0:16], top[0:32], kind="max", dim=1)

# What the result held joins once, after the lanes have agreed.
# CHECK-LABEL: def running_sum(
# CHECK: total_before[r] = total[r]
# CHECK: total[r] = 0.0
# CHECK: T.shuffle(
# CHECK: total[r] = total[r] + total_before[r]
@T.prim_func(properties=["tile"])
def running_sum():
    a = T.alloc_fragment((32, 16), "float32", layout="fragment(2@r1 16@t2 | 2@t1 8@r2)")
    total = T.alloc_fragment((32,), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.reduce(a[0:32, 0:16], total[0:32], kind="sum", dim=1, clear=False)

# Four warps hold a row: one lane of each leaves what its warp has, everybody folds the four.
# CHECK-LABEL: def across_warps(
# CHECK: total_workspace = T.alloc_shared((4, 2), "float32", layout="row_major", source="total", role="workspace")
# CHECK: lane_row: T.int32 = tx // 32
# CHECK: T.shuffle(total_other[0], total[r], 16, kind="xor")
# CHECK: if tx % 32 == 0:
# CHECK-NEXT: total_workspace[lane_row, row] = total[row]
# CHECK: total[row] = total_workspace[0, row] + total_workspace[1, row] + total_workspace[2, row] + total_workspace[3, row]
# CHECK-NEXT: for r in
# CHECK-NEXT: total[r] = total[r] + total_before[r]
@T.prim_func(properties=["tile"])
def across_warps():
    a = T.alloc_fragment((2, 128), "float32", layout="fragment(2@r1 | 128@t1)")
    total = T.alloc_fragment((2,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.reduce(a[0:2, 0:128], total[0:2], kind="sum", dim=1, clear=False)

# A tile in shared memory: the lanes that get copies of a result share its row.
# CHECK-LABEL: def of_shared(
# CHECK: top = T.alloc_local((4,), "float32", layout="fragment(4@r1 4@t32 ; 32@t1)")
# CHECK: top[row_step] = T.max(top[row_step], a[1, row, col])
# CHECK: T.shuffle(top_other[0], top[r], 16, kind="xor")
# CHECK-NOT: workspace
# CHECK: if tx % 32 == 0:
# CHECK-NEXT: sums[8 + row] = sums[8 + row] + sums_result[row_step]
@T.prim_func(properties=["tile"])
def of_shared():
    a = T.alloc_shared((2, 16, 64), "float32")
    top = T.alloc_fragment((16,), "float32")
    sums = T.alloc_shared((24,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.reduce(a[1, 0:16, 0:64], top[0:16], kind="max", dim=2)
        T.reduce(a[0, 0:16, 0:64], sums[8:24], kind="sum", dim=2, clear=False)

# Eight warps hold each column: a workspace of 8 x 128 would have more elements than the block has
# threads, so it takes four of the 16 registers at a time, as four lanes of a warp hold a column.
# CHECK-LABEL: def in_rounds(
# CHECK: sums_workspace = T.alloc_shared((8, 4, 8), "float32", layout="row_major", source="sums", role="workspace")
# CHECK: for round in T.unroll(0, 4):
# CHECK-NEXT: if tx // 8 % 4 == 0:
# CHECK-NEXT: for r in T.unroll(0, 4):
# CHECK-NEXT: sums_workspace[tx // 32, r, tx % 8] = sums[round * 4 + r]
# CHECK-NEXT: for r in T.unroll(0, 4):
# CHECK-NEXT: sums[round * 4 + r] = sums_workspace[0, r, tx % 8] + {{.*}} + sums_workspace[7, r, tx % 8]
@T.prim_func(properties=["tile"])
def in_rounds():
    a = T.alloc_fragment((64, 128), "float32", layout="fragment(2@r16 32@t8 | 8@t1 16@r1)")
    sums = T.alloc_fragment((128,), "float32")
    with T.Kernel(1, threads=256) as (bx, tx):
        T.reduce(a[0:64, 0:128], sums[0:128], kind="sum", dim=0)
