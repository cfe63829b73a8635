# RUN: tilescope opt --passes '' %s 2>&1 | FileCheck %s
# ./dev lit tests/frontend/parallel_loops.py

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
