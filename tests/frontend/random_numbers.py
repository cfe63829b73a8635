# RUN: tilescope show ir %s --pass elaborate | FileCheck %s
# ./dev lit tests/frontend/random_numbers.py
import tilelang
import tilelang.language as T


# Each thread has a generator; without a sequence its number is it.
@tilelang.jit
def numbers():
    @T.prim_func
    def main(A: T.Tensor((64,), "uint32"), B: T.Tensor((64,), "float32"), C: T.Tensor((64,), "float64")):
        with T.Kernel(2, threads=32) as bx:
            tx = T.get_thread_binding()
            # CHECK: T.rng_init(random[0:16], T.uint64(42), T.uint64(tx + bx * 32), T.uint64(0))
            T.rng_init(42)
            # CHECK-NEXT: T.rng_draw(random[0:16], drawn[0])
            # CHECK-NEXT: A[tx] = drawn[0]
            A[tx] = T.rng_rand()
            # CHECK-NEXT: T.rng_draw(random[0:16], drawn_1[0], kind="normal")
            # CHECK-NEXT: B[tx] = drawn_1[0]
            B[tx] = T.rng_rand_float(dist="normal")
            # CHECK-NEXT: T.rng_draw(random[0:16], drawn_2[0], kind="uniform")
            # CHECK-NEXT: C[tx] = drawn_2[0]
            C[tx] = T.rng_rand_float(64)

    return main
