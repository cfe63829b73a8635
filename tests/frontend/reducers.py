# RUN: tilescope opt --passes '' %s:rows | FileCheck %s --check-prefix=ROWS
# ./dev lit tests/frontend/reducers.py
# RUN: tilescope opt --passes '' %s:total | FileCheck %s --check-prefix=TOTAL
# RUN: tilescope exec %s:rows --every-pass | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s:total --every-pass | FileCheck %s --check-prefix=RUNS
# RUNS: elaborate runs
# RUNS-NOT: {{WRONG|differs}}
import tilelang.language as T


# ROWS-LABEL: def rows(
@T.prim_func
def rows(A: T.Tensor((32, 256), "float32"), B: T.Tensor((32,), "float32")):
    with T.Kernel(1, threads=128) as bx:
        # ROWS: sums_parts = T.alloc_fragment((32, 64), "float32")
        tile = T.alloc_fragment((32, 64), "float32")
        sums = T.alloc_reducer(32, "float32", replication="all")
        # ROWS: T.fill(sums[0:32], 0.0)
        # ROWS-NEXT: T.fill(sums_parts[0:32, 0:64], 0.0)
        T.clear(sums)
        for k in T.serial(4):
            T.copy(A[0, k * 64], tile)
            for i, j in T.Parallel(32, 64):
                # ROWS: sums_parts[i, j] = sums_parts[i, j] + tile[i, j]
                sums[i] += tile[i, j]
        # ROWS: T.reduce(sums_parts[0:32, 0:64], sums[0:32], dim=1, clear=False)
        T.finalize_reducer(sums)
        # ROWS-NEXT: T.copy(sums
        T.copy(sums, B)


# Two loops contribute; one value starts it.
# TOTAL-LABEL: def total(
@T.prim_func
def total(A: T.Tensor((16, 64), "int32"), B: T.Tensor((1,), "int32")):
    with T.Kernel(1, threads=64) as bx:
        top = T.alloc_reducer((1,), "int32", op="max")
        result = T.alloc_fragment((1,), "int32")
        # TOTAL: T.fill(top[0], 7)
        # TOTAL-NEXT: T.fill(top_parts[0:16, 0:64], -2147483648)
        # TOTAL-NEXT: T.fill(top_parts_1[0:16], -2147483648)
        T.reducer_init(top, 7)
        for i, j in T.Parallel(16, 64):
            # TOTAL: top_parts[i, j] = T.max(top_parts[i, j], A[i, j])
            T.reducer_update(top[0], A[i, j])
        for i in T.Parallel(16):
            # TOTAL: top_parts_1[i] = T.max(top_parts_1[i], A[i, 3])
            T.reducer_update(top[0], A[i, 3])
        # TOTAL: T.reduce(top_parts[0:16, 0:64], [[P:top_parts_[0-9]+]][0:16], kind="max", dim=1)
        # TOTAL-NEXT: T.reduce([[P]][0:16], top[0], kind="max", clear=False)
        # TOTAL-NEXT: T.reduce(top_parts_1[0:16], top[0], kind="max", clear=False)
        # TOTAL-NEXT: T.copy(top[0], result[0])
        T.finalize_reducer(top, result)
        T.copy(result, B)
