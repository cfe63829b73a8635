# Rows of an array of registers that are written and read a vector at a time.
# ./dev lit tests/exec/rows_of_registers.py
# RUN: tilescope exec %s --every-pass --witness | FileCheck %s --implicit-check-not=WRONG
import tilelang.language as T


# CHECK: vectorize {{ *}}equal
# CHECK: cuda {{ *}}equal
@T.prim_func
def rows(A: T.Tensor((128, 4, 8), "float16"), B: T.Tensor((128, 32), "float16")):
    with T.Kernel(1, threads=128):
        tx = T.get_thread_binding()
        own = T.alloc_local((4, 8), "float16")
        for i in T.serial(4):
            for j in T.vectorized(8):
                own[i, j] = A[tx, i, j]
        for i in T.serial(4):
            for j in T.vectorized(8):
                B[tx, i * 8 + j] = own[3 - i, j]
