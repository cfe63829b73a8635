# RUN: tilescope show ir %s --pass elaborate | FileCheck %s
# ./dev lit tests/frontend/math.py
import tilelang
import tilelang.language as T


@tilelang.jit
def functions():
    @T.prim_func
    def main(A: T.Tensor((64,), "float32"), H: T.Tensor((64,), "int32"), U: T.Tensor((64,), "uint16")):
        with T.Kernel(1, threads=32) as bx:
            tx = T.get_thread_binding()
            # CHECK: A[0] = T.nearbyint(A[1])
            A[0] = T.round(A[1])
            # CHECK-NEXT: A[0] = T.round(A[1])
            A[0] = T.round(A[1], "ties-away-from-zero")
            # CHECK-NEXT: A[0] = T.ieee_fmaf_ru(A[1], 2.0, A[2])
            A[0] = T.ieee_fmaf(A[1], 2, A[2], "ru")
            # CHECK-NEXT: A[0] = T.atan2(A[1], 2.0) + T.__tan(A[3])
            A[0] = T.atan2(A[1], 2.0) + T.__tan(A[3])
            # CHECK-NEXT: A[0] = 0.0 if T.isnan(A[1]) or T.abs(A[1]) == T.infinity("float32") and not T.isnan(A[1]) else A[1]
            A[0] = T.if_then_else(T.isnan(A[1]) or T.isinf(A[1]), 0.0, A[1])
            # CHECK-NEXT: H[0] = T.truncdiv(H[1], 3) + T.truncmod(H[1], 3) + (H[2] + 3) // 4 * 4
            H[0] = T.truncdiv(H[1], 3) + T.truncmod(H[1], 3) + T.align_up(H[2], 4)
            # CHECK-NEXT: H[0] = T.reinterpret(A[1], "int32") + T.clz(H[1]) + T.popcount(~H[2])
            H[0] = T.reinterpret(A[1], "int32") + T.clz(H[1]) + T.popcount(T.bitwise_not(H[2]))
            # CHECK-NEXT: U[0] = T.reinterpret(T.float16(A[1]), "uint16")
            U[0] = T.reinterpret(T.cast(A[1], "float16"), "uint16")
            # CHECK-NEXT: T.device_assert(H[0] < 4, message="too many")
            T.device_assert(H[0] < 4, "too many")
            # CHECK-NEXT: T.print(message="here")
            T.print(msg="here")

    return main
