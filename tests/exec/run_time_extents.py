# RUN: tilescope exec %s:loop --dim n=64 --every-pass | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# ./dev lit tests/exec/run_time_extents.py
# RUN: exits 1 tilescope exec %s:loop --dim n=100 --every-pass | FileCheck %s --check-prefix=LOOP
# RUN: exits 1 tilescope exec %s:copied --dim n=65 | FileCheck %s --check-prefix=COPIED
# RUN: exits 1 tilescope exec %s:filled --dim n=80 | FileCheck %s --check-prefix=FILLED
# RUN: tilescope opt %s:loop --passes '' --tagged -o %t.ir && exits 1 tilescope exec %t.ir --dim n=100 | FileCheck %s --check-prefix=TEXT

# A loop whose extent only the launch knows goes as far as its tile. One that would go further leaves it: in the emitted
# code what lies beyond is left out, so that is a finding.
import tilelang.language as T

n = T.dynamic("n")


# RIGHT: insert-barriers#2 {{ *}}equal
# LOOP: {{^}}elaborate WRONG as written
# LOOP-NEXT: 'i' runs to 100, where its tile has 64, in block 0 [out-of-bounds]
# LOOP-NEXT: line [[# @LINE + 8]]: for i in T.Parallel(n):
# LOOP-NOT: {{.}}
# TEXT: 'i' runs to 100, where its tile has 64, in block 0 [out-of-bounds]
# TEXT-NEXT: for i in T.Parallel(64, written=[n]):
@T.prim_func
def loop(A: T.Tensor((n,), "float32"), B: T.Tensor((n,), "float32")):
    with T.Kernel(1, threads=64):
        s = T.alloc_shared((64,), "float32")
        for i in T.Parallel(n):
            s[i] = A[i]
        for i in T.Parallel(n):
            B[i] = s[i] * 2.0


# COPIED: runs to 65, where its tile has 64, in block 0 [out-of-bounds]
# COPIED-NEXT: line [[# @LINE + 5]]: T.copy(A[0:n], s[0:n])
@T.prim_func
def copied(A: T.Tensor((n,), "float32"), B: T.Tensor((n,), "float32")):
    with T.Kernel(1, threads=64):
        s = T.alloc_shared((64,), "float32")
        T.copy(A[0:n], s[0:n])
        T.copy(s[0:n], B[0:n])


# FILLED: runs to 80, where its tile has 60, in block 0 [out-of-bounds]
# FILLED-NEXT: line [[# @LINE + 5]]: T.fill(s[4:n + 4], 3.0)
@T.prim_func
def filled(A: T.Tensor((n,), "float32"), B: T.Tensor((n,), "float32")):
    with T.Kernel(1, threads=64):
        s = T.alloc_shared((64,), "float32")
        T.fill(s[4:n + 4], 3.0)
        for i in T.Parallel(n):
            B[i] = A[i]
