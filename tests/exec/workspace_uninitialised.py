# A workspace holds nothing until it is written, by an earlier launch too.
# ./dev lit tests/exec/workspace_uninitialised.py
# RUN: exits 1 tilescope exec %s | FileCheck %s
# RUN: sed -e 's/# mended: //' %s > %t.py && tilescope exec %t.py --every-pass | FileCheck %s --check-prefix=MENDED
# MENDED-NOT: WRONG
# MENDED: insert-barriers#2 {{ *}}equal
import tilelang.language as T


@T.prim_func
def sums(A: T.Tensor((64,), "float32"), B: T.Tensor((32,), "float32")):
    work = T.alloc_global((32,), "float32")
    # mended: with T.Kernel(1, threads=32): work[T.get_thread_binding()] = 0.0
    with T.Kernel(2, threads=32) as bx:
        tx = T.get_thread_binding()
        # CHECK: 'work' is read where nothing was written, by thread 0 of block 0; {{[0-9]+}} times [uninitialised-read]
        T.atomic_add(work[tx], A[bx * 32 + tx])
    with T.Kernel(1, threads=32):
        tx = T.get_thread_binding()
        B[tx] = work[tx]
