# What is unsigned wraps at its own width in conditions, too, and keeps its sign where it is compared.
# ./dev lit tests/exec/unsigned_wraps.py
# RUN: tilescope exec %s --every-pass --witness --fill U=arange --fill A=arange | FileCheck %s --implicit-check-not=WRONG
import tilelang.language as T


# CHECK: cuda {{ *}}equal
# CHECK: cuda reversed {{ *}}equal
@T.prim_func
def conditions(U: T.Tensor((64,), "uint32"), A: T.Tensor((64,), "int32"), B: T.Tensor((5, 64), "int32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        B[0, tx] = T.if_then_else(U[tx] - T.uint32(1) < U[tx], 1, 0)
        B[1, tx] = T.if_then_else(T.cast(U[tx] % T.uint32(8), "int32") - 4 < 0, 1, 0)
        B[2, tx] = T.if_then_else(T.cast(U[tx] % T.uint32(8) - T.uint32(4), "int32") < 0, 1, 0)
        B[3, tx] = T.if_then_else(T.cast(U[tx] % T.uint32(8) - T.uint32(4), "int64") < T.int64(0), 1, 0)
        B[4, tx] = T.if_then_else(T.cast(tx, "uint32") - T.cast(A[tx] & 7, "uint32") > T.uint32(9), 1, 0)
