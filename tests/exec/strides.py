# Tensors with strides lie in memory as these say; the emitted code is run so, too.
# ./dev lit tests/exec/strides.py
# RUN: tilescope exec %s --every-pass --witness | FileCheck %s --implicit-check-not=WRONG
# RUN: tilescope exec %s --every-pass --witness --dim row=301 | FileCheck %s --implicit-check-not=WRONG
# RUN: not tilescope exec %s --dim row=10 2>&1 | FileCheck %s --check-prefix APART
import tilelang.language as T

row = T.dynamic("row")


# CHECK: cuda {{ *}}equal
# CHECK: cuda reversed {{ *}}equal
# APART: with its strides two elements of tensor 'A' lie in one place
@T.prim_func
def copies(A: T.StridedTensor((4, 256), (row, 1), "float16"), B: T.StridedTensor((4, 256), (264, 1), "float16")):
    with T.Kernel(4, threads=64) as bx:
        tile = T.alloc_shared((256,), "float16")
        T.copy(A[bx, 0:256], tile)
        T.copy(tile, B[bx, 0:256])
