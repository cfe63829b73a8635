# RUN: tilescope exec --every-pass %s:halves --save %t.f --witness | FileCheck %s --check-prefix=RIGHT
# ./dev lit tests/frontend/rounded_casts.py
# RUN: tilescope opt --passes '' %s:forms | FileCheck %s
# RUN: exits 2 tilescope opt --passes '' %s:stochastic 2>&1 | FileCheck %s --check-prefix=STOCHASTIC
# RUN: exits 2 tilescope opt --passes '' %s:unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN
# RIGHT: insert-barriers#2 {{.*}}equal
# RIGHT: cuda {{.*}}equal

# `round` of T.cast: to the nearest, towards zero, upwards, downwards; of the emitted CUDA too.
import tilelang.language as T


# Each number lies between two of float16; the largest is past them all, the smallest below the least.
@T.prim_func
def halves(A: T.Tensor((64,), "float32"), B: T.Tensor((4, 64), "float16"), I: T.Tensor((4, 64), "int32"), W: T.Tensor((64,), "int32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        sign = 1.0 if tx % 2 == 0 else -1.0
        x = T.alloc_var("float32")
        x = A[tx] * 3.0
        if tx < 2:
            x = sign * 70000.0
        elif tx < 4:
            x = sign * 1e-9
        elif tx < 6:
            x = sign * 0.0
        elif tx < 8:
            x = sign * 65510.0
        B[0, tx] = T.cast(x, "float16", round="rn")
        B[1, tx] = T.cast(x, "float16", round="rz")
        B[2, tx] = T.cast(x, "float16", round="rp")
        B[3, tx] = T.cast(x, "float16", round="rm")
        I[0, tx] = T.cast(x, "int32", round="rn")
        I[1, tx] = T.cast(x, "int32", round="rz")
        I[2, tx] = T.cast(x, "int32", round="rp")
        I[3, tx] = T.cast(x, "int32", round="rm")
        # What each of them promises, asked of the numbers themselves.
        up, down, zero, near = T.float32(B[2, tx]), T.float32(B[3, tx]), T.float32(B[1, tx]), T.float32(B[0, tx])
        W[tx] = 0
        if up < x or down > x or T.abs(zero) > T.abs(x) or (near != up and near != down) or (zero != up and zero != down):
            W[tx] = 1
        T.device_assert(W[tx] == 0, "rounded the wrong way")
        if tx == 0:
            T.device_assert(zero == 65504.0 and down == 65504.0 and up == T.infinity("float32"), "past the largest")
        if tx == 3:
            T.device_assert(down == -T.float32(T.reinterpret(T.uint16(1), "float16")) and up == 0.0, "below the least")


# CHECK-LABEL: def forms(
@T.prim_func
def forms(A: T.Tensor((64,), "float32"), H: T.Tensor((64,), "float16"), I: T.Tensor((64,), "int32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        # CHECK: I[tx] = T.int32(T.nearbyint({{.*}}))
        I[tx] = T.cast(A[tx], "int32", round="rn")
        # CHECK: A[tx] = T.float32(H[tx])
        A[tx] = T.cast(H[tx], "float32", round="rz")
        # CHECK: H[tx] = T.float16(A[tx])
        H[tx] = T.cast(A[tx], "float16", round="rn", sat=True)


@T.prim_func
def stochastic(A: T.Tensor((64,), "float32"), H: T.Tensor((64,), "float16")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        # STOCHASTIC: [[# @LINE + 1]]:{{.*}}: error: round="rs" of T.cast is not supported yet: it is of sm_100a
        H[tx] = T.cast(A[tx], "float16", round="rs", rbits=T.uint32(7))


@T.prim_func
def unknown(A: T.Tensor((64,), "float32"), H: T.Tensor((64,), "float16")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        # UNKNOWN: [[# @LINE + 1]]:{{.*}}: error: 'round' of 'T.cast' must be "rn", "rz", "rp", "rm" or "rs", not a str
        H[tx] = T.cast(A[tx], "float16", round="ru")
