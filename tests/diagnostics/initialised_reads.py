# RUN: tilescope compile %s:paths --set N=128 -o - 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
# ./dev lit tests/diagnostics/initialised_reads.py
# RUN: tilescope compile %s:parts --set N=128 -o - 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:

# No UninitialisedRead: a write that some path brings, or of some elements, is a write; what is not evaluated is not read.
# CHECK: __global__
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def paths(N):
    trips = T.dynamic("trips")

    @T.prim_func
    def main(A: T.Tensor((trips, N), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            first = T.alloc_fragment((N,), "float32")
            loop = T.alloc_fragment((N,), "float32")
            dead = T.alloc_fragment((N,), "float32")
            chosen = T.alloc_fragment((N,), "float32")
            for k in T.serial(trips):
                if k == 0:
                    T.clear(first)
                for i in T.Parallel(N):
                    first[i] += A[k, i]
                # Without iterations nothing writes `loop`.
                T.copy(A[k, 0:N], loop)
                if k < 0:
                    T.copy(dead, C)
                for i in T.Parallel(N):
                    C[i] = T.if_then_else(k > 0, chosen[i], 0.0)
                T.copy(loop, chosen)
            for i in T.Parallel(N):
                C[i] = first[i] + loop[i]

    return main


@tilelang.jit(out_idx=[-1])
def parts(N):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float16"), C: T.Tensor((N, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            c = T.alloc_fragment((N, N), "float32")
            A_shared = T.alloc_shared((N, 32), "float16")
            B_shared = T.alloc_shared((32, N), "float16")
            total = T.alloc_fragment((N,), "float32")
            row = T.alloc_shared((N,), "float32")
            if T.get_thread_binding() < 64:
                row[T.get_thread_binding()] = 1.0
            for k in T.serial(N // 32):
                T.copy(A[0, k * 32], A_shared)
                T.copy(A[k * 32, 0], B_shared)
                T.gemm(A_shared, B_shared, c, clear_accum=k == 0)
            T.reduce_sum(c, total, dim=1)
            for i, j in T.Parallel(N, N):
                C[i, j] = c[i, j] + total[i] + row[j]

    return main
