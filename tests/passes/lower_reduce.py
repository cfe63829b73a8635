# tilescope-ir 1
# ./dev lit tests/passes/lower_reduce.py
# RUN: tilescope opt %s --passes infer-layouts,lower-tile-ops | FileCheck %s

# Four lanes hold a row of the accumulator; each has four of its columns.
# CHECK-LABEL: def row_max(
# CHECK: top = T.alloc_local((2,), "float32", layout="fragment(2@t32 2@r1 8@t4 ; 4@t1)")
# CHECK: for r in T.unroll(0, 2):
# CHECK-NEXT: top[r] = -T.infinity("float32")
# CHECK: top[row_step] = T.max(top[row_step], scores[{{.*}}])
# CHECK-NEXT: for r in T.unroll(0, 2):
# CHECK-NEXT: T.shuffle_xor(top[r], top_other[0])
# CHECK-NEXT: top[r] = T.max(top[r], top_other[0])
# CHECK-NEXT: T.shuffle_xor(top[r], top_other[0], lane_mask=2)
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
# CHECK: T.shuffle_xor(
# CHECK: total[r] = total[r] + total_before[r]
@T.prim_func(properties=["tile"])
def running_sum():
    a = T.alloc_fragment((32, 16), "float32", layout="fragment(2@r1 16@t2 | 2@t1 8@r2)")
    total = T.alloc_fragment((32,), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.reduce(a[0:32, 0:16], total[0:32], kind="sum", dim=1, clear=False)
