# RUN: tilescope exec %s --every-pass 2>&1 | FileCheck %s --implicit-check-not='{{WRONG|error|warning}}'
# ./dev lit tests/exec/barrier_behind_names.py

# The barrier before the first T.Parallel stands behind the coordinates of its lanes; that each iteration reads what it
# wrote is seen all the same, so s4 may lie over s2.
import tilelang.language as T


# CHECK: {{^}}insert-barriers#2 {{.*}}equal
@T.prim_func
def main(X: T.Tensor((32, 31), "float32"), O: T.Tensor((32, 32), "float32")):
    with T.Kernel(1, threads=128) as bx:
        s0 = T.alloc_shared((32, 32), "float32")
        s2 = T.alloc_shared((32, 32), "float32")
        s4 = T.alloc_shared((48, 32), "float32")
        T.clear(s4)
        for k in T.serial(4):
            for i, j in T.Parallel(32, 32):
                s2[i, j] = X[i, j]
                s0[i, j] = s2[i, j] * 2
            for i, j in T.Parallel(48, 32):
                s4[i, j] = k
        T.copy(s4[0:32, :], O)
