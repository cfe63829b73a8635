# RUN: tilescope exec %s --every-pass 2>&1 | FileCheck %s --implicit-check-not='{{WRONG|warning}}'
# ./dev lit tests/exec/repeated_iterations.py

# Sixteen groups of threads run each iteration, for their copies of the fragment; one of them stores to global memory,
# and the others read what it stored.
import tilelang.language as T


# CHECK: {{^}}insert-barriers {{.*}}equal
@T.prim_func
def main(X: T.Tensor((16,), "int32"), O: T.Tensor((4, 16), "int32")):
    with T.Kernel(1, threads=256) as bx:
        f = T.alloc_fragment((16,), "int32")
        for k in T.serial(4):
            for i in T.Parallel(16):
                X[i] = k * 16 + i
                f[i] = X[i] + 2
            T.copy(f, O[k, 0:16])
