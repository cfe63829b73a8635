# RUN: tilescope exec %s --every-pass | FileCheck %s --implicit-check-not=WRONG
# ./dev lit tests/exec/undefined_condition.py

# vectorize computes a whole vector and guards its store: threads behind row 23 choose by registers that nobody wrote, and
# throw away what they chose.
import tilelang.language as T


# CHECK: {{^}}vectorize {{.*}}equal
@T.prim_func
def main(A: T.Tensor((90, 192), "int8"), B: T.Tensor((24, 24), "int8")):
    with T.Kernel(1, threads=96) as bx:
        s = T.alloc_shared((24, 24), "int8")
        f = T.alloc_fragment((24, 24), "int8")
        for k in T.serial(1, 3):
            T.copy(A[0, k * 24], f)
            for i, j in T.Parallel(24, 24):
                s[i, j] = T.if_then_else(f[i, j] > 0, f[i, j] * f[i, j], f[i, j])
        T.copy(s, B)
