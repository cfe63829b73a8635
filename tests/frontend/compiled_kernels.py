# RUN: tilescope opt --passes '' %s:build --set M=64 | FileCheck %s --check-prefix=BUILD
# ./dev lit tests/frontend/compiled_kernels.py
# RUN: tilescope opt --passes '' %s:decorated --set M=64 | FileCheck %s --check-prefix=DECORATED
# RUN: tilescope opt --passes '' %s:chosen --set M=64 | FileCheck %s --check-prefix=CHOSEN
# RUN: tilescope compile %s:build --set M=64 -o - | FileCheck %s --check-prefix=CUDA
# RUN: tilescope opt --passes '' %s:with_size --set M=64 | FileCheck %s --check-prefix=TUPLE
# RUN: exits 2 tilescope opt --passes '' %s:two_kernels --set M=64 2>&1 | FileCheck %s --check-prefix=TWO
# RUN: exits 2 tilescope opt --passes '' %s:outside --set M=64 2>&1 | FileCheck %s --check-prefix=OUTSIDE
# RUN: exits 2 tilescope opt --passes '' %s:plain 2>&1 | FileCheck %s --check-prefix=PLAIN

# A factory may give its kernel to tilelang.compile before it returns it, or decorate it itself.
import tilelang
import tilelang.language as T


# BUILD: def build(
# BUILD: B: T.Tensor((64,), "float32", output=True)
# CUDA: to be compiled with --use_fast_math
def build(M):
    @T.prim_func
    def main(A: T.Tensor((M,), "float32"), B: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=64):
            for i in T.Parallel(M):
                B[i] = T.exp(A[i])

    return tilelang.compile(main, out_idx=[1], target="cuda", pass_configs={"tl.enable_fast_math": True})


# DECORATED: def kernel(
# DECORATED: B: T.Tensor((64,), "float32", output=True)
def decorated(M):
    @tilelang.jit(out_idx=-1)
    @T.prim_func
    def kernel(A: T.Tensor((M,), "float32"), B: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=64):
            for i in T.Parallel(M):
                B[i] = A[i]

    return kernel


# Beside a kernel a factory may return what its caller needs.
# TUPLE: def kernel(
# TUPLE-NOT: output=True
def with_size(M):
    @tilelang.jit
    @T.prim_func
    def kernel(A: T.Tensor((M,), "float32"), B: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=64):
            for i in T.Parallel(M):
                B[i] = A[i]

    return kernel, M // 2


def two_kernels(M):
    first, _ = with_size(M)
    second, _ = with_size(M)
    # TWO: [[# @LINE + 1]]:{{[0-9]+}}: error: 'two_kernels' returns no prim_func but a tuple
    return first, second


# What is said of one kernel does not hold for another.
# CHOSEN: def first(
# CHOSEN: A: T.Tensor((64,), "float32", output=True)
def chosen(M):
    @T.prim_func
    def first(A: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=64):
            for i in T.Parallel(M):
                A[i] = 1.0

    @T.prim_func
    def second(A: T.Tensor((M,), "float32"), B: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=64):
            for i in T.Parallel(M):
                B[i] = A[i]

    taken = tilelang.compile(first, [0])
    tilelang.compile(second, out_idx=[1])
    return taken


# OUTSIDE: :[[# @LINE + 8]]:43: error: index 1 is outside of 1 elements
def outside(M):
    @T.prim_func
    def main(A: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=64):
            for i in T.Parallel(M):
                A[i] = 1.0

    return tilelang.compile(main, out_idx=[1])


# PLAIN: error: 'tilelang.compile' belongs to the host and is not evaluated
def plain():
    return tilelang.compile(outside)
