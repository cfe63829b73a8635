# RUN: tilescope opt --passes '' %s | FileCheck %s
# ./dev lit tests/frontend/persistent.py
# RUN: tilescope exec %s --every-pass | FileCheck %s --check-prefix=RUNS
# RUN: sed 's/group_size=2/group_size=0/' %s > %t.py
# RUN: exits 2 tilescope opt --passes '' %t.py 2>&1 | FileCheck %s --check-prefix=NOTHING

# Tiles of a domain in waves: the last axis in groups, neither the last group nor the last wave whole.
import tilelang.language as T

WAVE = 6


@T.prim_func
def kernel(A: T.Tensor((5, 7), "int32"), B: T.Tensor((20,), "int32"), C: T.Tensor((2, 3, 5), "int32"), n: T.int32):
    with T.Kernel(WAVE, threads=32) as block:
        # CHECK: for wave in T.serial(0, 7):
        # CHECK-NEXT: tile: T.int32 = wave * 6 + block
        # CHECK-NEXT: i: T.int32 = tile // 2 % 5
        # CHECK-NEXT: j: T.int32 = tile // 2 // 5 * 2 + tile % 2
        # CHECK-NEXT: if tile < 40 and j < 7:
        # CHECK-NEXT: A[i, j] = i * 7 + j
        for i, j in T.Persistent([5, 7], WAVE, block, group_size=2):
            A[i, j] = i * 7 + j
        # CHECK: for wave in T.serial(0, (({{.*}}n{{.*}}
        # CHECK: tile: T.int32 = wave * 6 + block
        for i in T.Persistent([n], WAVE, block):
            if i < 20:
                B[i] = i
        # CHECK: k: T.int32 = tile // 4 // 3 // 2 * 4 + tile % 4
        # CHECK-NEXT: if tile < 48 and k < 5:
        for i, j, k in T.Persistent((2, 3, 5), WAVE, block, 4):
            C[i, j, k] = k


# RUNS: simplify {{ *}}equal
# NOTHING: :22:{{.*}} error: 'T.Persistent' needs the size of a loop
