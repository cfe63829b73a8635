# RUN: not tilescope compile %s:stores -o - 2>&1 | FileCheck %s --check-prefix=STORES --implicit-check-not=error:
# ./dev lit tests/diagnostics/fail_outside_whatever_indices.py
# RUN: not tilescope compile %s:sizes -o - 2>&1 | FileCheck %s --check-prefix=SIZES --implicit-check-not=error:
# RUN: not tilescope compile %s:divisions -o - 2>&1 | FileCheck %s --check-prefix=DIVISIONS --implicit-check-not=error:
# RUN: not tilescope compile %s:iterations -o - 2>&1 | FileCheck %s --check-prefix=ITERATIONS --implicit-check-not=error:
# RUN: tilescope compile %s:guarded -o - 2>&1 | FileCheck %s --check-prefix=GUARDED --implicit-check-not=error: --implicit-check-not=warning:
# RUN: tilescope compile %s:edges -o - 2>&1 | FileCheck %s --check-prefix=EDGES --implicit-check-not=error: --implicit-check-not=warning:

# IndexOutOfRange of global memory and DivisorIsZero: what no block, thread or iteration does right,
# and divisions that one of them surely does wrong.
import tilelang
import tilelang.language as T


@tilelang.jit
def stores(N=128):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), C: T.Tensor((N, N), "float32")):
        with T.Kernel(4, threads=128) as bx:
            s = T.alloc_shared((32, N), "float32")
            # STORES: :[[# @LINE + 1]]:{{.*}}error: index bx * 32 + 128 in dimension 0 of 'A' is out of range [0, 128)
            T.copy(A[bx * 32 + N, 0], s)
            # STORES: :[[# @LINE + 1]]:13: error: index 133 in dimension 0 of 'C' is out of range [0, 128)
            C[N + 5, 0] = s[0, 0]
            # STORES: :[[# @LINE + 1]]:13: error: index -1 in dimension 1 of 'C' is out of range [0, 128)
            C[0, -N - 1] = s[0, 0]
            for i in T.Parallel(N):
                # STORES: :[[# @LINE + 1]]:17: error: index i + 128 in dimension 1 of 'A' is out of range [0, 128)
                C[0, i] = A[0, i + N]

    return main


@tilelang.jit
def sizes():
    M = T.dynamic("M")

    @T.prim_func
    def main(C: T.Tensor((M, 8), "float32")):
        with T.Kernel(4, threads=128) as bx:
            # SIZES: :[[# @LINE + 1]]:13: error: index M + 5 in dimension 0 of 'C' is out of range [0, M)
            C[M + 5, 0] = 0.0

    return main


@tilelang.jit
def divisions(N=128):
    @T.prim_func
    def main(C: T.Tensor((N,), "int32")):
        with T.Kernel(4, threads=128) as bx:
            # DIVISIONS: :[[# @LINE + 1]]:13: error: division by zero: 'bx - bx' is always 0
            C[0] = N // (bx - bx)
            # DIVISIONS: :[[# @LINE + 1]]:13: error: division by zero: 'bx // 4' is always 0
            C[1] = N % (bx // 4)
            if bx > 4:
                C[2] = N // (bx - bx)
            C[3] = T.if_then_else(bx < 4, 1, N // (bx // 4))

    return main


# By what is 0 in one iteration, thread or block, which surely gets there.
@tilelang.jit
def iterations(N=128):
    @T.prim_func
    def main(C: T.Tensor((N,), "int32"), n: T.int32):
        with T.Kernel(4, threads=128) as bx:
            tx = T.get_thread_binding()
            # ITERATIONS: :[[# @LINE + 1]]:13: error: division by zero: 'bx - 2' is 0 where bx is 2
            C[0] = N // (bx - 2)
            if tx > 60:
                # ITERATIONS: :[[# @LINE + 1]]:17: error: division by zero: 'tx % 64' is 0 where tx is 64
                C[tx] = N // (tx % 64)
            for i in T.Parallel(N):
                # ITERATIONS: :[[# @LINE + 1]]:17: error: division by zero: 'i - 5' is 0 where i is 5
                C[i] = N // (i - 5)
                if i == 0:
                    # ITERATIONS: :[[# @LINE + 1]]:21: error: division by zero: 'i' is always 0
                    C[i] = N % i
                # ITERATIONS: :[[# @LINE + 1]]:17: error: division by zero: 'i - 9' is 0 where i is 9
                C[i] = T.if_then_else(i > 7, N // (i - 9), 0)
            for k in T.serial(4):
                for i in T.Parallel(8):
                    # ITERATIONS: :[[# @LINE + 1]]:21: error: division by zero: 'k - i + 3' is 0 where k is 0 and i is 3
                    C[i] = N // (k - i + 3)
            if n == 0:
                # ITERATIONS: :[[# @LINE + 1]]:17: error: division by zero: 'n' is always 0
                C[1] = N // n

    return main


# By what is never 0 where it is reached, or only perhaps.
@tilelang.jit
def guarded(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "int32"), C: T.Tensor((N,), "int32"), n: T.int32):
        with T.Kernel(4, threads=128) as bx:
            tx = T.get_thread_binding()
            # GUARDED: __global__
            for i in T.Parallel(N):
                if i > 5:
                    C[i] = N // (i - 5)
            for i in T.Parallel(N):
                C[i] = T.if_then_else(i > 0, N // i, 0) + T.if_then_else(A[i] > 0, N // A[i], 0)
            if tx > 0 and N // tx > 4:
                C[tx] = 1
            for k in T.serial(n):
                C[k] = N // (k - 3)
            if n > 8:
                for i in T.Parallel(N):
                    C[i] = N // (i - 5)
            C[2] = N // n
            for i in T.Parallel(N):
                if A[i] > 2:
                    C[i] = N // (i - 5)

    return main


# Outside in part, in some iterations, in some blocks, or where nothing gets to.
@tilelang.jit
def edges(N=100):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), C: T.Tensor((N, N), "float32"),
             D: T.Tensor((4, N), "float32")):
        with T.Kernel(4, threads=128) as bx:
            s = T.alloc_shared((32, N), "float32")
            T.copy(A[bx * 32, 0], s)
            T.copy(s, C[bx * 32 + 10, 0])
            for i in T.serial(2):
                T.copy(A[i * N, 0], s)
            for i in T.Parallel(N):
                C[0, i] = T.if_then_else(bx < 4, A[0, i], A[0, i + N])
            if bx > 3:
                C[N + 5, 0] = 0.0
            # EDGES: __global__
            D[bx, 0] = 100 // (bx + 1)

    return main
