"""Dropout: each thread has its own sequence of random numbers and goes over elements of its own."""
# tilescope: dropout --set N=4096
# tilescope: noise --set N=1024
import tilelang
import tilelang.language as T


@tilelang.jit
def dropout(N, keep=0.75, seed=7, threads=128, per_thread=8, dtype="float16"):
    @T.prim_func
    def main(X: T.Tensor((N,), dtype), Y: T.Tensor((N,), dtype)):
        with T.Kernel(T.ceildiv(N, threads * per_thread), threads=threads) as bx:
            tx = T.get_thread_binding()
            T.rng_init(seed)
            for i in T.serial(per_thread):
                place = (bx * per_thread + i) * threads + tx
                draw = T.rng_rand_float()
                if place < N:
                    Y[place] = T.if_then_else(draw <= keep, X[place] * T.cast(1 / keep, dtype), T.cast(0, dtype))

    return main


@tilelang.jit
def noise(N, seed=3, threads=64):
    """Words, uniform doubles and normal floats."""

    @T.prim_func
    def main(Words: T.Tensor((N,), "uint32"), Uniform: T.Tensor((N,), "float64"), Normal: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, threads), threads=threads) as bx:
            tx = T.get_thread_binding()
            T.rng_init(seed, bx, tx * 5)
            Words[bx * threads + tx] = T.rng_rand()
            Uniform[bx * threads + tx] = T.rng_rand_float(64)
            Normal[bx * threads + tx] = T.rng_rand_float(dist="normal")

    return main
