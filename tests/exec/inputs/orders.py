"""Elements that are accessed more than once, held by many threads, or encoded where they are stored: an order, a copy or a
code that is wrong shows."""
import tilelang
import tilelang.language as T


@tilelang.jit
def store_then_load(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), T.float32), B: T.Tensor((N,), T.float32)):
        with T.Kernel(1, threads=128):
            s = T.alloc_shared((N,), T.float32)
            t = T.alloc_shared((N,), T.float32)
            T.copy(A, s)
            for i in T.Parallel(N):
                s[i] = s[i] * 3.0
                t[i] = s[i] + 1.0
            T.copy(t, B)

    return main


@tilelang.jit
def guard_reads_store(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), T.float32), B: T.Tensor((N,), T.float32)):
        with T.Kernel(1, threads=128):
            s = T.alloc_shared((N,), T.float32)
            t = T.alloc_shared((N,), T.float32)
            T.copy(A, s)
            T.copy(A, t)
            for i in T.Parallel(N):
                s[i] = s[i] + 0.5
                if s[i] > 0.0:
                    t[i] = 7.0
            T.copy(t, B)

    return main


@tilelang.jit
def registers_change_behind_store(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), T.float32), B: T.Tensor((N,), T.float32)):
        with T.Kernel(1, threads=128):
            f = T.alloc_fragment((N,), T.float32)
            T.copy(A, f)
            for i in T.Parallel(N):
                B[i] = f[i]
                f[i] = 0.0

    return main


@tilelang.jit
def registers_change_behind_use(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), T.float32), C: T.Tensor((N,), T.float32), B: T.Tensor((N,), T.float32)):
        with T.Kernel(1, threads=128):
            f = T.alloc_fragment((N,), T.float32)
            g = T.alloc_fragment((N,), T.float32)
            T.copy(A, f)
            for i in T.Parallel(N):
                g[i] = f[i] * 2.0
                f[i] = C[i]
            T.copy(g, B)
            T.copy(f, A)

    return main


@tilelang.jit
def reversed_fragment(N=256):
    @T.prim_func
    def main(A: T.Tensor((N,), T.float32), B: T.Tensor((N,), T.float32)):
        with T.Kernel(1, threads=128):
            f = T.alloc_fragment((N,), T.float32)
            for i in T.Parallel(N):
                f[N - 1 - i] = A[i]
            for i in T.Parallel(N):
                B[i] = f[i]

    return main


@tilelang.jit
def stored_as_float4(N=16):
    @T.prim_func
    def main(A: T.Tensor((N,), T.float32), B: T.Tensor((N,), T.float4_e2m1fn)):
        with T.Kernel(1, threads=32):
            a = T.alloc_local((N,), T.float32)
            for i in T.vectorized(N):
                a[i] = A[i] * 6.0
            for i in T.vectorized(N):
                B[i] = a[i]

    return main
