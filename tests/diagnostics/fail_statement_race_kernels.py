# Kernels in which threads of one statement race.
# ./dev lit tests/diagnostics/fail_statement_race_kernels.py
# RUN: not tilescope compile %s:reverse -o - 2>&1 | FileCheck %s --check-prefix=REVERSE
# RUN: not tilescope compile %s:shift -o - 2>&1 | FileCheck %s --check-prefix=SHIFT
# RUN: not tilescope compile %s:last_of_all -o - 2>&1 | FileCheck %s --check-prefix=LAST
# RUN: not tilescope compile %s:last_of_two -o - 2>&1 | FileCheck %s --check-prefix=TWO
# RUN: not tilescope compile %s:half_bytes -o - 2>&1 | FileCheck %s --check-prefix=HALF
# RUN: not tilescope compile %s:atomic_of_itself -o - 2>&1 | FileCheck %s --check-prefix=ATOMIC
# RUN: tilescope compile %s:whole_bytes -o - | FileCheck %s --check-prefix=WHOLE
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def reverse(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((N,), "float32")
            T.copy(A, s)
            for i in T.Parallel(N):
                # REVERSE: [[# @LINE + 2]]:17: error: threads that run this statement read elements of 's' while others
                # REVERSE-NEXT: s[i] = s[N - 1 - i]
                s[i] = s[N - 1 - i]
            T.copy(s, C)

    return main


@tilelang.jit(out_idx=[-1])
def atomic_of_itself(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((N,), "float32")
            T.copy(A, s)
            for i in T.Parallel(N):
                # ATOMIC: [[# @LINE + 1]]:{{[0-9]+}}: error: threads that run this statement read elements of 's' while others
                T.atomic_add(s[i // 2], s[i])
            T.copy(s, C)

    return main


@tilelang.jit(out_idx=[-1])
def shift(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=64) as bx:
            s = T.alloc_shared((N,), "float32")
            T.copy(A, s)
            # SHIFT: [[# @LINE + 1]]:13: error: threads that run this statement read elements of 's' while others
            T.copy(s[0:64], s[1:65])
            T.copy(s, C)

    return main


@tilelang.jit(out_idx=[-1])
def last_of_all(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i in T.Parallel(N):
                # LAST: [[# @LINE + 1]]:17: error: threads that run this statement write different values to one element of 'C'
                C[0] = A[i]

    return main


@tilelang.jit(out_idx=[-1])
def last_of_two(N=256):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((N,), "float32")
            T.copy(A, s)
            for i in T.Parallel(N):
                # TWO: [[# @LINE + 1]]:17: error: threads that run this statement write different values to one element of 's'
                s[i % 64] = A[i] * 2.0
            T.copy(s, C)

    return main


@tilelang.jit(out_idx=[-1])
def half_bytes(N=512, block=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "int4"), C: T.Tensor((N,), "int4")):
        with T.Kernel(N // block, threads=64) as bx:
            s = T.alloc_shared((block,), "int4")
            t = T.alloc_shared((block,), "int4")
            T.copy(A[bx * block], s)
            for i in T.Parallel(block):
                # HALF: [[# @LINE + 1]]:17: error: elements of 't' that share a byte may be written by different threads
                t[i] = s[block - 1 - i]
            T.copy(t, C[bx * block])

    return main


# WHOLE: store_4(t, tx * 2 + j
@tilelang.jit(out_idx=[-1])
def whole_bytes(N=512, block=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "int4"), C: T.Tensor((N,), "int4")):
        with T.Kernel(N // block, threads=64) as bx:
            s = T.alloc_shared((block,), "int4")
            t = T.alloc_shared((block,), "int4")
            tx = T.get_thread_binding()
            T.copy(A[bx * block], s)
            for j in T.serial(2):
                t[tx * 2 + j] = s[block - 1 - tx * 2 - j]
            T.copy(t, C[bx * block])

    return main
