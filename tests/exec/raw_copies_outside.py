# RUN: tilescope exec %s:in_parts --every-pass --witness
# ./dev lit tests/exec/raw_copies_outside.py
# RUN: exits 1 tilescope exec %s:left_out --every-pass | FileCheck %s --check-prefix=LEFT

# An access of 16 bytes that is partly outside of its tensor is not made at all.
import tilelang.language as T


@T.prim_func
def in_parts(A: T.Tensor((30,), "float32"), B: T.Tensor((30,), "float32")):
    with T.Kernel(1, threads=32):
        tx = T.get_thread_binding()
        if tx < 8:
            T.stg128(B[tx * 4], T.ldg128(A[tx * 4]))


# LEFT: elaborate {{ *}}WRONG
# LEFT-NEXT: {{.*}} [uninitialised-read]
@T.prim_func
def left_out(A: T.Tensor((30,), "float32"), B: T.Tensor((32,), "float32")):
    with T.Kernel(1, threads=32):
        tx = T.get_thread_binding()
        if tx < 8:
            T.stg128(B[tx * 4], T.ldg128(A[tx * 4]))
