# RUN: tilescope opt --passes '' %s:sides 2>&1 | FileCheck %s
# ./dev lit tests/frontend/thread_conditions.py
# RUN: tilescope check --strict %s:sides 2>&1 | FileCheck %s --check-prefix=CHECK-YES
# RUN: tilescope opt --passes '' %s:kept 2>&1 | FileCheck %s --check-prefix=KEPT

# Tile work under conditions on the thread is done by all of them; single statements keep theirs.
import tilelang.language as T


# TileWorkSpread
# CHECK: :[[# @LINE + 10]]:{{.*}}remark: tile operations under this condition on the thread are done by all threads of the block, one side after the other
# CHECK-YES: free of hazards yes
@T.prim_func
def sides(A: T.Tensor((4, 64), "float32"), B: T.Tensor((4, 64), "float32"),
          n: T.Tensor((2,), "int32")):
    with T.Kernel(1, threads=96) as bx:
        tx = T.get_thread_binding()
        warp = tx // 32
        S = T.alloc_shared((64,), "float32")
        total = T.alloc_fragment((1,), "float32")
        if warp < 1:
            # CHECK: warp: T.int32 = tx // 32
            # CHECK-NEXT: T.copy(A[0, 0:64], S[0:64])
            # CHECK-NEXT: if warp < 1:
            # CHECK-NEXT: n[0] = 1
            T.copy(A[0, :], S)
            n[0] = 1
        else:
            # CHECK-NEXT: if not warp < 1:
            # CHECK-NEXT: total[0] = 0.0
            total[0] = 0
            # CHECK-NEXT: for k in T.serial(0, 3):
            for k in range(3):
                # CHECK-NEXT: twice: T.int32 = k + 1
                # CHECK-NEXT: for i in T.Parallel(64):
                # CHECK-NEXT: B[twice, i] = A[twice, i] * 2.0
                # CHECK: if not warp < 1:
                # CHECK-NEXT: if tx == 40:
                # CHECK-NEXT: n[1] = k
                twice = k + 1
                for i in T.Parallel(64):
                    B[twice, i] = A[twice, i] * 2
                if tx == 40:
                    n[1] = k
        for i in T.Parallel(64):
            B[0, i] = S[i]


# Where memory decides, or one side may wait for the other, nothing moves.
# KEPT-NOT: remark
@T.prim_func
def kept(A: T.Tensor((64,), "float32"), n: T.Tensor((96,), "int32")):
    with T.Kernel(1, threads=96) as bx:
        tx = T.get_thread_binding()
        S = T.alloc_shared((64,), "float32")
        # KEPT: if n[tx] > 0:
        # KEPT-NEXT: T.copy(
        T.clear(S)
        if n[tx] > 0:
            T.copy(A, S)
        # KEPT: if tx < 32:
        # KEPT-NEXT: T.copy(
        if tx < 32:
            T.copy(S, A)
            T.sync_threads(1, 32)
        # No thread gets there.
        # KEPT: if tx > 96:
        # KEPT-NEXT: T.copy(
        if tx > 96:
            T.copy(S, A)
        # A value of each thread's own.
        # KEPT: if tx < 32:
        # KEPT-NEXT: for i in T.Parallel(64):
        if tx < 32:
            for i in T.Parallel(64):
                S[i] = tx
