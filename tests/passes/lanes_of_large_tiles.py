# RUN: tilescope check %s | FileCheck %s
# ./dev lit tests/passes/lanes_of_large_tiles.py

# More elements than are worth looking at one by one: nothing is known of the nests then.
# CHECK: IR verified      yes
import tilelang
import tilelang.language as T


@tilelang.jit
def spent():
    @T.prim_func
    def main(A: T.Tensor((64, 256), "float32"), B: T.Tensor((64,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            a = T.alloc_fragment([64, 256], "float32")
            b = T.alloc_fragment([256], "float32")
            c = T.alloc_fragment([64], "float32")
            s = T.alloc_shared([64, 256], "float32")
            T.copy(A, s)
            T.copy(s, a)
            T.clear(b)
            T.copy(a[:, 234], c)
            for j in T.Parallel(256):
                a[16, j] = b[j]
            for i, j in T.Parallel(64, 256):
                a[i, j] = a[i, j] * 0.5 + b[j]
            T.copy(a, s)
            T.copy(c, B)

    return main
