# RUN: tilescope compile %s -o - | FileCheck %s
# ./dev lit tests/frontend/repeated_operand.py
import tilelang
import tilelang.language as T


# An operand that stands twice is one expression.
@tilelang.jit
def repeated():
    @T.prim_func
    def main(X: T.Tensor((64,), "float32"), Y: T.Tensor((64,), "float32")):
        with T.Kernel(1, threads=64) as bx:
            for i in T.Parallel(64):
                x = X[i]
                # CHECK: __fmaf_ru(x, 2.0f, x) + powf(x, x)
                Y[i] = T.ieee_fmaf(x, 2.0, x, "ru") + T.pow(x, x)

    return main
