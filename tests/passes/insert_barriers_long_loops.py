# RUN: timeout 60 tilescope compile %s:long_loops -o - | FileCheck %s
# ./dev lit tests/passes/insert_barriers_long_loops.py

# Which elements 2^33 turns of loops write is not found by taking each of them.
import tilelang
import tilelang.language as T


@tilelang.jit
def long_loops():
    @T.prim_func
    def main(X: T.Tensor((64, 2048, 2048, 2048), "float16"), Y: T.Tensor((64, 128), "float32")):
        with T.Kernel(64, threads=128) as bx:
            total = T.alloc_fragment((128,), "float32")
            T.clear(total)
            # CHECK: for (int {{[a-z]+}} = 0; {{[a-z]+}} < 2048; ++{{[a-z]+}}) {
            for i in range(2048):
                for j in range(2048):
                    for k in range(2048):
                        if k + j >= 3:
                            for c in T.Parallel(128):
                                total[c] += X[bx, i, j, k]
            T.copy(total, Y[bx, 0])

    return main
