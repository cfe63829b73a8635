# RUN: tilescope exec %s:barrier --every-pass --witness | FileCheck %s --implicit-check-not=WRONG
# ./dev lit tests/frontend/agreed_conditions.py
# RUN: tilescope exec %s:tile --every-pass --witness | FileCheck %s --implicit-check-not=WRONG
# RUN: tilescope exec %s:tail --every-pass --witness --dim n=40 | FileCheck %s --implicit-check-not=WRONG
# RUN: tilescope exec %s:warp --every-pass --witness | FileCheck %s --implicit-check-not=WRONG
# RUN: tilescope check %s:barrier | FileCheck %s --check-prefix=FREE
# RUN: tilescope check %s:tile | FileCheck %s --check-prefix=FREE
# RUN: tilescope check %s:tail | FileCheck %s --check-prefix=FREE
# RUN: tilescope check %s:warp | FileCheck %s --check-prefix=FREE --implicit-check-not='not established'
# RUN: exits 1 tilescope check %s:parts 2>&1 | FileCheck %s --check-prefix=PARTS
# RUN: exits 1 tilescope check %s:two_warps 2>&1 | FileCheck %s --check-prefix=TWO
# CHECK: insert-barriers#2 {{.*}}equal
# CHECK: cuda {{.*}}equal
# FREE: free of hazards  yes

# Conditions on the number of a thread and of its block: in one block all threads have them, or none.
import tilelang.language as T


@T.prim_func
def barrier(A: T.Tensor((64,), "int32"), C: T.Tensor((2, 64), "int32")):
    with T.Kernel(2, threads=64) as bx:
        tx = T.get_thread_binding()
        s = T.alloc_shared((64,), "int32")
        if tx + bx * 64 < 64:
            s[tx] = A[tx]
            C[bx, tx] = s[63 - tx]


@T.prim_func
def tile(A: T.Tensor((64,), "int32"), C: T.Tensor((2, 64), "int32")):
    with T.Kernel(2, threads=64) as bx:
        tx = T.get_thread_binding()
        s = T.alloc_shared((64,), "int32")
        i = bx * 64 + tx
        if i // 64 == 1:
            T.copy(A, s)
            C[bx, tx] = s[63 - tx]


# Of a length that is a multiple of all threads of a block.
@T.prim_func
def tail(n: T.int32, A: T.Tensor((64,), "int32"), C: T.Tensor((8, 64), "int32")):
    with T.Kernel(8, threads=64) as bx:
        tx = T.get_thread_binding()
        s = T.alloc_shared((64,), "int32")
        if bx * 64 + tx < n * 64:
            T.copy(A, s)
            C[bx, tx] = s[63 - tx]


# Half of one block.
# PARTS: error, line {{[0-9]+}}: 'barrier' takes all threads of the block, but only some of them get here
@T.prim_func
def parts(A: T.Tensor((64,), "int32"), C: T.Tensor((2, 64), "int32")):
    with T.Kernel(2, threads=64) as bx:
        tx = T.get_thread_binding()
        s = T.alloc_shared((64,), "int32")
        s[tx] = A[tx]
        if tx + bx * 64 < 96:
            T.sync_threads()
            C[bx, tx] = s[63 - tx]


# One warp, and what it orders by itself.
@T.prim_func
def warp(A: T.Tensor((64,), "int32"), C: T.Tensor((64,), "int32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        s = T.alloc_shared((64,), "int32")
        if tx < 32:
            s[tx] = A[tx]
            T.sync_warp()
            C[tx] = s[31 - tx]


# Each of two for itself.
# TWO: error, line {{[0-9]+}}: 's' must be accessed after 's' by all threads, but no barrier can stand between
@T.prim_func
def two_warps(A: T.Tensor((128,), "int32"), C: T.Tensor((128,), "int32")):
    with T.Kernel(1, threads=128):
        tx = T.get_thread_binding()
        s = T.alloc_shared((64,), "int32")
        if tx < 64:
            s[tx] = A[tx]
            T.sync_warp()
            C[tx] = s[63 - tx]
