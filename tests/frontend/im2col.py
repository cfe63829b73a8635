# RUN: tilescope opt --passes simplify %s | FileCheck %s
# ./dev lit tests/frontend/im2col.py

# T.im2col gathers windows of an image: a row is a position of the window, a column one of its elements.
import tilelang.language as T


@T.prim_func
def kernel(image: T.Tensor((2, 8, 8, 16), "float16")):
    with T.Kernel(2, threads=128) as bx:
        tile = T.alloc_shared((64, 32), "float16")
        # CHECK: for i, j in T.Parallel(64, 32):
        # CHECK-NEXT: tile[i, j] = image[bx, i // 8 + (32 + j) // 48 + -1, i % 8 + (32 + j) // 16 % 3 + -1, j % 16] if i // 8
        T.im2col(image, tile, bx, 1, 3, 1, 1, 1)
