# RUN: tilescope opt --passes '' %s:scale --set op=relu | FileCheck %s --check-prefix=RELU
# ./dev lit tests/frontend/named_functions.py
# RUN: tilescope opt --passes '' %s:scale --set 'op=TABLE["square"]' | FileCheck %s --check-prefix=SQUARE
# RUN: tilescope opt --passes '' %s:scale --set op=halved | FileCheck %s --check-prefix=HALVED
# RUN: tilescope opt --passes '' %s:scale --set op=T.exp | FileCheck %s --check-prefix=EXP
# RUN: tilescope opt --passes '' %s:by_word --set op=relu | FileCheck %s --check-prefix=WORD
# RUN: tilescope opt --passes '' %s:bench.inner --set n=64 | FileCheck %s --check-prefix=INNER
# RUN: exits 2 tilescope opt --passes '' %s:scale --set op=unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN

# A parameter may be given the name of a function that the file has.
import tilelang
import tilelang.language as T


def relu(x):
    return T.max(x, 0.0)


halved = lambda x: x * 0.5
TABLE = {"square": lambda x: x * x}


# RELU: A[i] = T.max(A[i], 0.0)
# SQUARE: A[i] = A[i] * A[i]
# HALVED: A[i] = A[i] * 0.5
# EXP: A[i] = T.exp(A[i])
# UNKNOWN: error: a str cannot be called
@tilelang.jit
def scale(op):
    @T.prim_func
    def main(A: T.Tensor((64,), "float32")):
        with T.Kernel(1, threads=64):
            for i in T.Parallel(64):
                A[i] = op(A[i])

    return main


# A parameter whose default is a word takes words.
# WORD: A[i] = 1.0
@tilelang.jit
def by_word(op="none"):
    @T.prim_func
    def main(A: T.Tensor((64,), "float32")):
        with T.Kernel(1, threads=64):
            for i in T.Parallel(64):
                A[i] = 1.0 if op == "relu" else 0.0

    return main


# What follows a kernel inside of a function serves the host.
# INNER: A[i] = 2.0
def bench(n):
    @T.prim_func
    def inner(A: T.Tensor((n,), "float32")):
        with T.Kernel(1, threads=64):
            for i in T.Parallel(n):
                A[i] = 2.0

    kernel = tilelang.compile(inner)
    data = torch.arange(n).reshape(unknown)
    return kernel(data).sum() / 0
