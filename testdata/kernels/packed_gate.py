"""A gated activation by packed halves, and the greatest magnitude of each column, two columns at a time."""
# tilescope: gate --set M=256 --set N=128
# tilescope: magnitudes --set M=64 --set N=256
import tilelang
import tilelang.language as T


@tilelang.jit
def gate(M, N, threads=128, lanes=8):
    """x * (0.5 + 0.5 * g) * g, with g clamped."""

    @T.prim_func
    def main(X: T.Tensor((M, N), "float16"), G: T.Tensor((M, N), "float16"), Y: T.Tensor((M, N), "float16")):
        with T.Kernel(M * N // (threads * lanes), threads=threads) as bx:
            first = (bx * threads + T.get_thread_binding()) * lanes
            row, column = first // N, first % N
            x = T.alloc_local((lanes,), "float16")
            g = T.alloc_local((lanes,), "float16")
            y = T.alloc_local((lanes // 2,), "float16x2")
            flat = T.view(y, (lanes,), "float16")
            half = T.float16x2(0.5)
            one = T.float16x2(1.0)
            for i in T.vectorized(lanes):
                x[i] = X[row, column + i]
                g[i] = G[row, column + i]
            for i in T.unroll(lanes // 2):
                pair = T.float16x2(g[i * 2], g[i * 2 + 1])
                clamped = T.min2(T.max2(pair, T.sub2(half, one)), one)
                opened = T.mul2(T.fma2(clamped, half, half), clamped)
                y[i] = T.mul2(T.float16x2(x[i * 2], x[i * 2 + 1]), opened)
            for i in T.vectorized(lanes):
                Y[row, column + i] = flat[i]

    return main


@tilelang.jit
def magnitudes(M, N, threads=128):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(N // (threads * 2), threads=threads) as bx:
            columns = T.Ramp((bx * threads + T.get_thread_binding()) * 2, 1, 2)
            best = T.alloc_var("float32x2", T.Broadcast(0.0, 2))
            for i in T.serial(M):
                best = T.max2(best, T.abs2(A[i, columns]))
            B[columns] = best

    return main
