# RUN: tilescope compile %s:scatter -o %t 2>&1 | FileCheck %s --check-prefix=SCATTER --match-full-lines
# ./dev lit tests/diagnostics/hazard_not_established.py
# RUN: tilescope compile %s:count -o %t 2>&1 | FileCheck %s --check-prefix=COUNT
# RUN: tilescope compile %s:one_element -o %t 2>&1 | FileCheck %s --check-prefix=ONE
# RUN: tilescope compile %s:under_condition -o %t 2>&1 | FileCheck %s --check-prefix=COND
# RUN: tilescope compile %s:one_loop -o %t 2>&1 | FileCheck %s --check-prefix=LOOP
# RUN: tilescope compile %s:many_blocks -o %t 2>&1 | FileCheck %s --check-prefix=BLOCKS
# RUN: tilescope compile %s:one_block -o %t 2>&1 | count 0
# RUN: tilescope compile %s:agreed -o %t 2>&1 | count 0
# RUN: tilescope compile %s:folded -o %t 2>&1 | count 0
# RUN: tilescope compile %s:folded --set distances=[1,2,8,16] -o %t 2>&1 | FileCheck %s --check-prefix=FOLDED
# RUN: tilescope compile %s:folded --set some=True -o %t 2>&1 | FileCheck %s --check-prefix=FOLDED
# RUN: tilescope show passes %s:scatter --format json | not grep '"hazardFree": "yes"'
# RUN: tilescope show passes %s:agreed --format json | grep '"hazardFree": "yes"'
# RUN: tilescope check %s:scatter | FileCheck %s --check-prefix=CHECK-SAYS
# RUN: exits 1 tilescope check --strict %s:scatter
# RUN: tilescope check --strict %s:agreed
# CHECK-SAYS: free of hazards not established, line {{[0-9]+}}: it is not established that

# HazardNotEstablished: told once, however many passes leave the statement as it is; the kernel
# compiles.
import tilelang
import tilelang.language as T


@tilelang.jit
def scatter(N=256):
    @T.prim_func
    def main(A: T.Tensor((N,), "int32"), X: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i in T.Parallel(N):
                # SCATTER: {{.*}}:[[# @LINE + 3]]:17: warning: it is not established that threads which run this statement write one value to each element of 'C': which elements they write is not known
                # SCATTER-NEXT: {{ *}}C[A[i]] = X[i]
                # SCATTER-NOT: {{.*}}warning{{.*}}
                C[A[i]] = X[i]

    return main


@tilelang.jit
def count(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "int32"), C: T.Tensor((N,), "int32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((N,), "int32")
            T.clear(s)
            for i in T.Parallel(N):
                # COUNT: [[# @LINE + 3]]:17: warning: it is not established that threads which run this statement write one value to each element of 's'
                # COUNT: [[# @LINE + 2]]:17: warning: it is not established that this statement stays inside of 's'
                # COUNT-NOT: warning
                s[A[i]] += 1
            T.copy(s, C)

    return main


@tilelang.jit
def one_element(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((N,), "float32")
            f = T.alloc_fragment((N,), "float32")
            T.copy(A, f)
            T.copy(A, s)
            for i in T.Parallel(N):
                # ONE: [[# @LINE + 1]]:17: warning: it is not established that threads which run this statement write one value to each element of 's': they write one element, and their values may differ
                s[0] = f[i]
            T.copy(s, C)

    return main


# No barrier can stand where threads disagree on getting there.
@tilelang.jit
def under_condition(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), W: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            tx = T.get_thread_binding()
            if A[tx] > 0:
                W[tx] = A[tx]
                # COND: [[# @LINE + 1]]:17: warning: it is not established that threads touch different elements of 'W': no barrier between this access of 'W' and that of 'W' by other threads
                C[tx] = W[N - 1 - tx]

    return main


# Iterations of one T.Parallel have no order; the barrier between its statements gives them none.
@tilelang.jit
def one_loop(N=256):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), W: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i in T.Parallel(N):
                W[i] = A[i]
                # LOOP: [[# @LINE + 1]]:17: warning: this reads elements of 'W' that other iterations of the loop write: iterations of T.Parallel have no order
                C[i] = W[N - 1 - i]

    return main


@tilelang.jit
def many_blocks(N=256):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(4, threads=128) as bx:
            for i in T.Parallel(N):
                # BLOCKS: [[# @LINE + 1]]:17: warning: it is not established that threads which run this statement write one value to each element of 'C': several blocks may write the same elements
                C[i] = A[i] + T.cast(bx, "float32")

    return main


@tilelang.jit
def one_block(N=256):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32"), D: T.Tensor((4 * N,), "float32")):
        with T.Kernel(4, threads=128) as bx:
            first = bx * N
            for i in T.Parallel(N):
                D[first + i] = A[i] + T.cast(bx, "float32")
            if bx == 0:
                for i in T.Parallel(N):
                    C[i] = A[i] + 1

    return main


# One value by all threads, by all threads of an element, or by all that hit it. Elsewhere, if all
# agree on where.
@tilelang.jit
def agreed(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "int32"), n: T.int32, C: T.Tensor((N,), "float32"), F: T.Tensor((N,), "int32"), G: T.Tensor((4 * N,), "int32"),
             H: T.Tensor((N,), "int32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((N,), "float32")
            T.clear(s)
            for i in T.Parallel(N):
                s[0] = 1
            for i in T.Parallel(N):
                s[i // 2] = i // 2 + n
            for i in T.Parallel(N):
                F[A[i]] = 1
            first = T.alloc_var("int32")
            first = A[0]
            for i in T.Parallel(N):
                G[first + i] = i
            for k in T.serial(N):
                H[k] = A[k] + 1
            for k in T.serial(4):
                for i in T.Parallel(N):
                    H[(i + k) % N] = k
            T.copy(s, C)

    return main


# All threads of the warp write what they folded together; not where a round is left out, or only some take part.
@tilelang.jit
def folded(A, distances: list = [1, 2, 4, 8, 16], some: bool = False):
    A: T.Tensor((32,), "float32")
    C = T.empty((1,), "float32")

    with T.Kernel(1, threads=32) as block:
        thread = T.get_thread_binding()
        total = T.alloc_local((1,), "float32")
        total[0] = A[thread]
        for distance in distances:
            if some:
                if A[thread] > 0:
                    total[0] = total[0] + T.shfl_xor(total[0], distance)
            else:
                total[0] = total[0] + T.shfl_xor(total[0], distance)
        # FOLDED: :[[# @LINE + 1]]:9: warning: it is not established that threads which run this statement write one value to each element of 'C': they write one element, and their values may differ
        C[0] = total[0]

    return C
