# RUN: tilescope show layouts %s:main | FileCheck %s --strict-whitespace
# ./dev lit tests/views/layouts.py
# RUN: tilescope show layouts %s:main --format json | FileCheck %s --check-prefix=JSON
# RUN: tilescope show layouts %s:main --pass elaborate | FileCheck %s --check-prefix=NONE
import tilelang.language as T

# NONE: no buffer has a layout yet: infer-layouts chooses them
@T.prim_func
def main(A: T.Tensor((32, 32), "float32"), B: T.Tensor((32, 32), "float32")):
    with T.Kernel(1, threads=32) as bx:
        tile = T.alloc_shared((32, 32), "float32")
        held = T.alloc_fragment((8, 32), "float32")
        thread = T.get_thread_binding()
        for i in T.serial(32):
            tile[i, thread] = A[i, thread]
        for i in T.serial(32):
            B[i, thread] = tile[thread, i]
        T.copy(tile[0:8, 0:32], held)
        T.copy(held, B[0:8, 0:32])

#      CHECK:tile: float32, swizzle(128)
# CHECK-NEXT:  first bank of every 4 elements, in part
# CHECK-NEXT:       0   4   8  12  16  20  24  28
# CHECK-NEXT:  0    0   4   8  12  16  20  24  28
# CHECK-NEXT:  1    4   0  12   8  20  16  28  24
#      CHECK:  line          statement  {{ *}}bytes a lane  passes a warp  conflicts
# Four lanes of each column want one bank.
# CHECK-NEXT:  15    writes  tile[i, tx] = A[i, tx]  {{ *}}4  {{ *}}1  {{ *}}none
# CHECK-NEXT:  17    reads   B[i, tx] = tile[tx, i]  {{ *}}4  {{ *}}4  {{ *}}3
# CHECK-NEXT:  18    reads   T.vector_copy(tile{{.*}})  {{ *}}16  {{ *}}4  {{ *}}none
#      CHECK:held: float32, fragment(2@r4 4@t8 | 8@t1 4@r1)
# CHECK-NEXT:  thread and register of each element, in part
# CHECK-NEXT:         0      1      2      3      4
# CHECK-NEXT:  0   t0r0   t0r1   t0r2   t0r3   t1r0
#      CHECK:  4   t0r4   t0r5

# JSON: "name": "tile"
# JSON: "cells": "first bank of every 4 elements"
# JSON: "laneBytes": 4,
# JSON: "passes": 4,
# JSON-NEXT: "leastPasses": 1
