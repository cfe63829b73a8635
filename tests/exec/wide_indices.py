# RUN: tilescope exec %s --every-pass --witness --dim n=200 --dim m=97 --fill A=arange | FileCheck %s --implicit-check-not=WRONG
# ./dev lit tests/exec/wide_indices.py

# An index, a name and a condition are what their arithmetic says, also where 32 bits do not hold a part of it: the
# emitted code has 64 there. Values that are stored wrap.
import tilelang.language as T

n = T.dynamic("n")
m = T.dynamic("m")


# CHECK: {{^}}cuda {{ *}}equal
# CHECK: {{^}}cuda reversed {{ *}}equal
@T.prim_func
def wide(A: T.Tensor((n, m), "float32"), B: T.Tensor((n,), "float32"), C: T.Tensor((n,), "int32")):
    with T.Kernel(T.ceildiv(n, 128), threads=128) as bx:
        tx = T.get_thread_binding()
        if bx * 128 + tx < n:
            B[bx * 128 + tx] = A[bx * 128 + tx, (tx * 100000 * 100000) % m]
            if tx * 100000 * 100000 > 0:
                C[bx * 128 + tx] = tx * 100000 * 100000
            else:
                C[bx * 128 + tx] = -1
