# RUN: tilescope show layouts %s:main | FileCheck %s --strict-whitespace
# ./dev lit tests/views/layouts.py
# RUN: tilescope show layouts %s:main --format json | FileCheck %s --check-prefix=JSON
# RUN: tilescope show layouts %s:main --pass elaborate | FileCheck %s --check-prefix=NONE
# RUN: tilescope show layouts %s:main --buffer tile --access 1 | FileCheck %s --check-prefix=LANES
# RUN: tilescope show layouts %s:main --buffer tile --access 1 --format json | FileCheck %s --check-prefix=LANESJSON
# RUN: tilescope show layouts %s:main --buffer tile --access 1 --format svg | FileCheck %s --check-prefix=SVG
# RUN: tilescope show layouts %s:main --format svg | FileCheck %s --check-prefix=ALLSVG
# RUN: tilescope show layouts %s:main --buffer A | FileCheck %s --check-prefix=GLOBAL
# RUN: tilescope show layouts %s:main --buffer A --format json | FileCheck %s --check-prefix=GLOBALJSON
# RUN: tilescope show layouts %s:main --buffer A --format svg | FileCheck %s --check-prefix=GLOBALSVG
# RUN: exits 2 tilescope show layouts %s:main --buffer tile --access 3 2>&1 | FileCheck %s --check-prefix=ACCESS
# RUN: exits 2 tilescope show layouts %s:main --buffer tile --warp 1 2>&1 | FileCheck %s --check-prefix=WARP
# RUN: exits 2 tilescope show layouts %s:main --warp 1 2>&1 | FileCheck %s --check-prefix=ALONE
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
# CHECK-NEXT:  25    writes  tile[i, tx] = A[i, tx]  {{ *}}4  {{ *}}1  {{ *}}none
# CHECK-NEXT:  27    reads   B[i, tx] = tile[tx, i]  {{ *}}4  {{ *}}4  {{ *}}3
# CHECK-NEXT:  28    reads   T.vector_copy(tile{{.*}})  {{ *}}16  {{ *}}4  {{ *}}none
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

# The column is read by 4 lanes of each bank; in rows all 32 would want one.
#      LANES:  access    line          statement {{ *}}bytes a lane  passes a warp  conflicts  passes in rows
# LANES-NEXT:  0  {{.*}}writes  tile[i, tx] = A[i, tx]  {{.*}} 1
# LANES-NEXT:  1  {{.*}}reads   B[i, tx] = tile[tx, i]  {{.*}} 4  {{ *}}3  {{ *}}32
#      LANES:  warp 0 reads 4 bytes a lane
# LANES-NEXT:  swizzle(128): 4 passes of least 1, up to 4 words of one bank
# LANES-NEXT:  row_major: 32 passes of least 1, up to 32 words of one bank
# LANES-NEXT:  lane  group  element  byte  bank  byte in rows  bank
# LANES-NEXT:     0      0   [0, 0]     0    0!             0    0!
# LANES-NEXT:     1      0   [1, 0]   144    4!           128    0!

# LANESJSON:      "lanes": {
# LANESJSON-NEXT:   "access": 1,
# LANESJSON-NEXT:   "warp": 0,
# LANESJSON:        "layout": "swizzle(128)",
# LANESJSON-NEXT:   "passes": 4,
# LANESJSON-NEXT:   "leastPasses": 1,
# LANESJSON-NEXT:   "degree": 4,
# LANESJSON:        "layout": "row_major",
# LANESJSON-NEXT:   "passes": 32,

# SVG: tile: float32, swizzle(128), after
# SVG: warp 0 reads 4 bytes a lane: 4 passes of least 1
# SVG: lane 31
# SVG: tile: float32, row_major, after
# SVG: 32 passes of least 1
# ALLSVG: tile: float32, swizzle(128), after
# ALLSVG: held: float32, fragment(

# The first tensor: each row of 128 bytes is a line, which 32 lanes read, 4 bytes each.
#      GLOBAL: A: float32, no layout is chosen
# GLOBAL-NEXT:  first byte of every 4 elements
#      GLOBAL:  access    line          statement {{ *}}bytes a lane  sectors a warp  least  lines
# GLOBAL-NEXT:  0  {{.*}}reads   tile[i, tx] = A[i, tx]  {{ *}}4  {{ *}}4  {{ *}}4  {{ *}}1
#      GLOBAL:  warp 0 reads 4 bytes a lane, all further by what the block and the iteration choose
# GLOBAL-NEXT:  row_major: 4 sectors of 32 bytes, the least there is, in 1 line
# GLOBAL-NEXT:  lane  element  byte  sector  line
# GLOBAL-NEXT:     0   [0, 0]     0       0     0
#      GLOBAL:     8   [0, 8]    32       1     0
# GLOBALJSON:      "sector": 0
# GLOBALSVG: warp 0 reads 4 bytes a lane: 4 sectors of 32 bytes
# ACCESS: error: 'tile' has no access 3: 3 are known
# WARP: error: the lanes of warp 1 in 'tile' are not known: those of 1 are
# ALONE: error: --warp is of 'show layouts' with --buffer NAME
