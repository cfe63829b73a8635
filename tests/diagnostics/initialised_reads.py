# RUN: tilescope compile %s:paths -o - 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
# ./dev lit tests/diagnostics/initialised_reads.py
# RUN: tilescope compile %s:parts -o - 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
# RUN: tilescope compile %s:chunks -o - 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
# RUN: tilescope compile %s:masked -o - 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
# RUN: tilescope compile %s:ring -o - 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:

# Neither UninitialisedRead nor InitialisedNotEstablished: every path and all parts together write what is read, and what is
# not evaluated is not read.
# CHECK: __global__
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def paths(N=128):
    trips = T.dynamic("trips")

    @T.prim_func
    def main(A: T.Tensor((trips, N), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            first = T.alloc_fragment((N,), "float32")
            dead = T.alloc_fragment((N,), "float32")
            last = T.alloc_fragment((N,), "float32")
            signs = T.alloc_fragment((N,), "float32")
            chosen = T.alloc_fragment((N,), "float32")
            either = T.alloc_fragment((N,), "float32")
            for k in T.serial(trips):
                if k == 0:
                    T.clear(first)
                for i in T.Parallel(N):
                    first[i] += A[k, i]
                if k < 0:
                    T.copy(dead, C)
                for i in T.Parallel(N):
                    C[i] = T.if_then_else(k > 0, last[i], 0.0)
                T.copy(A[k, 0:N], last)
                for i in T.Parallel(N):
                    scale = T.alloc_var("float32")
                    if last[i] > 0:
                        signs[i] = 1.0
                        scale = 2.0
                    else:
                        signs[i] = -1.0
                        scale = 0.5
                    C[i] = scale * C[i]
                for i in T.Parallel(N):
                    C[i] += signs[i]
            if trips > 0:
                T.copy(first, C)
            if trips > 4:
                T.copy(A[4, 0:N], chosen)
                T.clear(either)
            else:
                T.copy(A[0, 0:N], either)
            if trips > 5:
                T.copy(chosen, C)
            T.copy(either, C)

    return main


@tilelang.jit(out_idx=[-1])
def parts(N=128):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float16"), C: T.Tensor((N, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            c = T.alloc_fragment((N, N), "float32")
            A_shared = T.alloc_shared((N, 32), "float16")
            B_shared = T.alloc_shared((32, N), "float16")
            total = T.alloc_fragment((N,), "float32")
            row = T.alloc_shared((N,), "float32")
            ring = T.alloc_shared((2, N), "float32")
            if T.get_thread_binding() < 64:
                row[T.get_thread_binding()] = 1.0
            else:
                row[T.get_thread_binding()] = 2.0
            for k in T.serial(N // 32):
                T.copy(A[0, k * 32], A_shared)
                T.copy(A[k * 32, 0], B_shared)
                T.gemm(A_shared, B_shared, c, clear_accum=k == 0)
            T.reduce_sum(c, total, dim=1)
            T.copy(row, ring[0, 0:N])
            for k in T.serial(4):
                if k + 1 < 4:
                    for i in T.Parallel(N):
                        ring[(k + 1) % 2, i] = row[N - 1 - i]
                for i, j in T.Parallel(N, N):
                    C[i, j] = c[i, j] + total[i] + ring[k % 2, j]

    return main


@tilelang.jit(out_idx=[-1])
def chunks(N=128):
    trips = T.dynamic("trips")

    @T.prim_func
    def main(A: T.Tensor((trips * N,), "float32"), C: T.Tensor((trips * N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            values = T.alloc_shared((trips * N,), "float32")
            squares = T.alloc_shared((trips * N,), "float32")
            for k in T.serial(trips):
                T.copy(A[k * N:(k + 1) * N], values[k * N:(k + 1) * N])
                for i in T.Parallel(N):
                    squares[k * N + i] = values[k * N + i] * values[k * N + i]
            for k in T.serial(trips):
                for i in T.Parallel(N):
                    C[k * N + i] = values[k * N + i] + squares[k * N + i]

    return main


@tilelang.jit(out_idx=[-1])
def ring(N=64):
    trips = T.dynamic("trips")

    @T.prim_func
    def main(A: T.Tensor((trips, N), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=64) as bx:
            c = T.alloc_fragment((N,), "float32")
            slots = T.alloc_shared((2, N), "float32")
            T.clear(c)
            T.copy(A[0, 0:N], slots[0, 0:N])
            for k in T.serial(trips):
                if k + 1 < trips:
                    T.copy(A[k + 1, 0:N], slots[(k + 1) % 2, 0:N])
                for i in T.Parallel(N):
                    c[i] += slots[k % 2, i]
            T.copy(c, C)

    return main


@tilelang.jit
def masked(Mask, A, N: int = 64, tiles: int = 4):
    """All threads agree on an element of a fragment, and so on what it is a condition of."""
    Mask: T.Tensor((tiles,), "int8")
    A: T.Tensor((tiles, N), "float32")
    C = T.empty((N,), "float32")

    with T.Kernel(1, threads=N) as block:
        mask = T.alloc_fragment((tiles,), "int8")
        tile = T.alloc_fragment((N,), "float32")
        total = T.alloc_fragment((N,), "float32")
        T.copy(Mask, mask)
        T.clear(total)
        for k in T.serial(tiles):
            if mask[k] != 0:
                for i in T.Parallel(N):
                    tile[i] = 2 * A[k, i]
                for i in T.Parallel(N):
                    total[i] += tile[i]
        T.copy(total, C)

    return C
