# A kernel whose outputs hold no number, or that has none, was compared with nothing: that is no yes.
# ./dev lit tests/exec/unjudged.py
# RUN: tilescope exec %s:roots --every-pass | FileCheck %s --check-prefix=EXEC
# RUN: tilescope check %s:roots --exec 2>&1 | FileCheck %s --check-prefix=CHECK
# RUN: tilescope check %s:nothing --exec 2>&1 | FileCheck %s --check-prefix=CHECK
import tilelang
import tilelang.language as T


# EXEC: lower-tile-ops {{ *}}not judged
# CHECK: runs as written {{ *}}not established: nothing to compare: no output has an element that is a number
# CHECK: warning: nothing to compare
# CHECK-NOT: warning: nothing
@tilelang.jit
def roots():
    @T.prim_func
    def main(A: T.Tensor((64,), "float32"), B: T.Tensor((64,), "float32")):
        with T.Kernel(1, threads=32) as _:
            for i in T.Parallel(64):
                B[i] = T.sqrt(-1.0 - A[i] * A[i])

    return main


@tilelang.jit
def nothing():
    @T.prim_func
    def main(A: T.Tensor((64,), "float32")):
        with T.Kernel(1, threads=32) as _:
            s = T.alloc_shared((64,), "float32")
            T.copy(A, s)

    return main
