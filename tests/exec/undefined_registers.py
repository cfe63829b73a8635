# RUN: tilescope exec %s:ragged --every-pass --target sm_90a | FileCheck %s --check-prefix=EQUAL --implicit-check-not=WRONG
# ./dev lit tests/exec/undefined_registers.py
# RUN: tilescope exec %s:named --every-pass --fill integers | FileCheck %s --check-prefix=NAMED --implicit-check-not=WRONG
# RUN: exits 1 tilescope exec %s:stored --every-pass 2>/dev/null | FileCheck %s

# Columns 24 to 31 of the fragment belong to nobody. A vectorised conversion takes registers of them along, which is no
# fault: what it makes of them is stored nowhere.
import tilelang
import tilelang.language as T


# EQUAL: vectorize {{.*}}equal
@tilelang.jit
def ragged():
    @T.prim_func
    def main(A: T.Tensor((24, 24), "float32"), B: T.Tensor((24, 24), "float16")):
        with T.Kernel(1, threads=64) as bx:
            f = T.alloc_fragment((24, 24), "float32")
            s = T.alloc_shared((24, 24), "float16")
            T.copy(A, f)
            for i, j in T.Parallel(24, 24):
                s[i, j] = f[i, j]
            T.copy(s, B)

    return main


# CHECK: WRONG
# CHECK: 'q' is read where nothing was written, by thread 0 of block 0; 64 times [uninitialised-read]
# CHECK: line [[# @LINE + 12]]: B[tx] = q[0]
@tilelang.jit
def stored():
    @T.prim_func
    def main(A: T.Tensor((64,), "float32"), B: T.Tensor((64,), "float32")):
        with T.Kernel(1, threads=64) as bx:
            tx = T.get_thread_binding()
            r = T.alloc_local((1,), "float32")
            q = T.alloc_local((1,), "float32")
            if A[tx] > 2.0:
                r[0] = A[tx]
            q[0] = r[0] * 2.0
            B[tx] = q[0]

    return main


# The same of a name for what such a register holds.
# NAMED: bind-loaded-indices {{ *}}not judged
@tilelang.jit
def named():
    @T.prim_func
    def main(A: T.Tensor((16, 200), "int32")):
        with T.Kernel(2, threads=96) as bx:
            s = T.alloc_shared((8, 32), "int8")
            f = T.alloc_fragment((8, 32), "int8")
            T.copy(A[8, bx * 32], f)
            for i, j in T.Parallel(8, 32):
                s[i, j] = f[i, j] + f[i, j] + f[i, j] - i * 2

    return main
