# RUN: exits 1 tilescope exec %s 2>&1 | FileCheck %s
# ./dev lit tests/exec/failed_assertion.py
# RUN: tilescope exec %s --set limit=64 --every-pass --witness 2>&1 | FileCheck %s --check-prefix HOLDS
import tilelang
import tilelang.language as T


# CHECK: an assertion does not hold: too many, by thread 40 of block 0 [failed-assertion]
# CHECK-NEXT: line [[# @LINE + 10]]: T.device_assert(tx < limit, "too many")
# HOLDS: cuda reversed {{ *}}equal
@tilelang.jit
def assertion(limit=40):
    @T.prim_func
    def main(X: T.Tensor((64,), "float32"), Y: T.Tensor((64,), "float32")):
        with T.Kernel(1, threads=64) as bx:
            tx = T.get_thread_binding()
            tile = T.alloc_fragment((64,), "float32")
            T.copy(X, tile)
            T.device_assert(tx < limit, "too many")
            T.print(tile, msg="all")
            T.print(X[tx])
            Y[tx] = X[tx] + 1.0

    return main
