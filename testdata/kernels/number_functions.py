"""Functions of numbers: exact and fast ones, rounding in a direction, bits, words of 32 bits."""
# tilescope: activations --set N=1024
# tilescope: roundings --set N=512
# tilescope: bits --set N=512
# tilescope: words --set N=1024
import tilelang
import tilelang.language as T


@tilelang.jit
def activations(N, threads=128, dtype="float32"):
    """Softplus and others, from fast functions; what is no number becomes 0."""

    @T.prim_func
    def main(X: T.Tensor((N,), dtype), Y: T.Tensor((N,), dtype), Z: T.Tensor((N,), dtype)):
        with T.Kernel(T.ceildiv(N, threads), threads=threads) as bx:
            for i in T.Parallel(threads):
                x = X[bx * threads + i]
                soft = T.log1p(T.exp(-T.abs(x))) + T.max(x, 0.0)
                Y[bx * threads + i] = T.if_then_else(T.isfinite(x) and not T.isnan(soft), soft, 0.0)
                Z[bx * threads + i] = T.__sin(x) * T.__cos(x) + T.atan2(x, 2.0) + T.fast_rcp(T.__exp(x) + 1.0)

    return main


@tilelang.jit
def roundings(N, threads=128):
    """Bounds of x * y + z from both sides, and numbers made whole in each way."""

    @T.prim_func
    def main(X: T.Tensor((N,), "float32"), Y: T.Tensor((N,), "float32"), Low: T.Tensor((N,), "float32"),
             High: T.Tensor((N,), "float32"), Even: T.Tensor((N,), "float32"), Away: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, threads), threads=threads) as bx:
            for i in T.Parallel(threads):
                x = X[bx * threads + i]
                y = Y[bx * threads + i]
                Low[bx * threads + i] = T.ieee_add(T.ieee_mul(x, y, "rd"), T.ieee_fdiv(x, 3.0, "rd"), "rd")
                High[bx * threads + i] = T.ieee_fmaf(x, y, T.ieee_fdiv(x, 3.0, "ru"), "ru")
                Even[bx * threads + i] = T.round(x * 2.0) * 0.5
                Away[bx * threads + i] = T.round(x * 2.0, "ties-away-from-zero") * 0.5

    return main


@tilelang.jit
def bits(N, threads=128):
    """The exponent of a float, a power of two from its bits, quotients towards zero."""

    @T.prim_func
    def main(X: T.Tensor((N,), "float32"), A: T.Tensor((N,), "int32"), Power: T.Tensor((N,), "float32"),
             Count: T.Tensor((N,), "uint32"), Quotient: T.Tensor((N,), "int32")):
        with T.Kernel(T.ceildiv(N, threads), threads=threads) as bx:
            for i in T.Parallel(threads):
                pattern = T.reinterpret(X[bx * threads + i], "uint32")
                exponent = (pattern >> T.uint32(23)) & T.uint32(255)
                Power[bx * threads + i] = T.reinterpret(exponent << T.uint32(23), "float32")
                Count[bx * threads + i] = T.popcount(pattern) + T.cast(T.clz(pattern), "uint32")
                Quotient[bx * threads + i] = T.truncdiv(A[bx * threads + i], 7) * 8 + T.truncmod(A[bx * threads + i], 8)

    return main


@tilelang.jit
def words(N, threads=64):
    """Sixteen bytes a thread, by way of shared memory; pairs of halves added atomically."""

    @T.prim_func
    def main(X: T.Tensor((N,), "float16"), Y: T.Tensor((N,), "float16"), Sum: T.Tensor((threads * 8,), "float16")):
        with T.Kernel(T.ceildiv(N, threads * 8), threads=threads) as bx:
            staged = T.alloc_shared((threads * 8,), "float16")
            tx = T.get_thread_binding()
            start = (bx * threads + tx) * 8
            T.sts128(staged[tx * 8], T.ldg128(X[start], pred=start + 8 <= N))
            T.sync_threads()
            T.stg128(Y[start], T.lds128(staged[(threads - 1 - tx) * 8]))
            for pair in T.serial(4):
                T.atomic_addx2(Sum[tx * 8 + pair * 2], staged[tx * 8 + pair * 2])

    return main
