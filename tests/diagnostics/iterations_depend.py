# RUN: tilescope compile %s:reversed_tile -o %t 2>&1 | FileCheck %s --check-prefix=REVERSED --match-full-lines
# ./dev lit tests/diagnostics/iterations_depend.py
# RUN: tilescope compile %s:counted -o %t 2>&1 | FileCheck %s --check-prefix=COUNTED --implicit-check-not=warning:
# RUN: tilescope compile %s:gathered -o %t 2>&1 | FileCheck %s --check-prefix=GATHERED --implicit-check-not=warning:
# RUN: tilescope compile %s:independent -o %t 2>&1 | count 0
# RUN: tilescope check %s:reversed_tile | FileCheck %s --check-prefix=SAYS
# RUN: tilescope compile %s:reversed_tile --trace %t.trace -o %t.cu
# RUN: tilescope check %t.trace | FileCheck %s --check-prefix=SAYS
# RUN: exits 1 tilescope check --strict %t.trace
# RUN: tilescope check --strict %s:independent
# SAYS: free of hazards not established, line {{[0-9]+}}: this reads elements of 's' that other iterations of the loop write

# HazardNotEstablished of iterations of one T.Parallel: they have no order, and what a barrier
# between two of its statements gives depends on how many threads run it.
import tilelang
import tilelang.language as T


@tilelang.jit
def reversed_tile(N=256):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((N,), "float32")
            T.clear(s)
            for i in T.Parallel(N):
                s[i] = A[i]
                # REVERSED: {{.*}}:[[# @LINE + 5]]:17: warning: this reads elements of 's' that other iterations of the loop write: iterations of T.Parallel have no order
                # REVERSED-NEXT: {{ *}}C[i] = s[N - 1 - i]
                # REVERSED-NEXT: {{ *\^.*}}
                # REVERSED-NEXT: {{.*}}:[[# @LINE - 4]]:17: note: 's' is written here
                # REVERSED-NOT: {{.*}}warning{{.*}}
                C[i] = s[N - 1 - i]

    return main


@tilelang.jit
def counted(N=256):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((1,), "float32")
            T.clear(s)
            for i in T.Parallel(N):
                T.atomic_add(s[0], A[i])
                # COUNTED: :[[# @LINE + 1]]:17: warning: this reads elements of 's' that other iterations of the loop write
                C[i] = s[0]

    return main


@tilelang.jit
def gathered(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), P: T.Tensor((N,), "int32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((N,), "float32")
            T.clear(s)
            for i in T.Parallel(N):
                s[i] = A[i]
                # GATHERED: :[[# @LINE + 1]]:17: warning: it is not established that this reads no element of 's' that another iteration of the loop writes
                C[i] = s[T.max(T.min(P[i], N - 1), 0)]

    return main


# Each iteration finds what it wrote itself, or what was written before the loop.
@tilelang.jit
def independent(N=128):
    n = T.dynamic("n")

    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), P: T.Tensor((N,), "int32"), C: T.Tensor((n, N), "float32")):
        with T.Kernel(n, threads=64) as bx:
            s = T.alloc_shared((N,), "float32")
            t = T.alloc_shared((N,), "float32")
            T.copy(A, s)
            for i in T.Parallel(N):
                t[i] = s[N - 1 - i]
                C[bx, i] = t[i] * 2.0
                C[bx, i] = C[bx, i] + t[i]
            # One of two partners writes what the other one reads.
            for i in T.Parallel(N):
                if i < N // 2:
                    s[i] = s[i + N // 2]
            T.copy(s, C[bx, 0:N])

    return main
