# RUN: tilescope opt --passes '' %s | FileCheck %s
# ./dev lit tests/frontend/expressions.py

# How expressions of the device meet Python values and each other.
import tilelang.language as T


@T.prim_func
def kernel(
    H: T.Tensor((64,), "float16"),
    B: T.Tensor((64,), "bfloat16"),
    F: T.Tensor((64,), "float32"),
    I8: T.Tensor((64,), "int8"),
    U8: T.Tensor((64,), "uint8"),
    I: T.Tensor((64,), "int32"),
    L: T.Tensor((64,), "int64"),
    O: T.Tensor((64,), "float32"),
    scale: T.float32,
):
    with T.Kernel(1, threads=64) as bx:
        i = T.get_thread_binding(0)
        # CHECK: T.Kernel(1, threads=64) as (bx, [[I:[a-z]+]]):
        # A Python float lifts float16 to float32, a Python int takes its type.
        # CHECK-NEXT: a: T.float32 = T.float32(H[[[I]]]) * 0.5
        a = H[i] * 0.5
        # CHECK-NEXT: b: T.float16 = H[[[I]]] + T.float16(1.0)
        b = H[i] + 1
        # CHECK-NEXT: c: T.float16 = T.float16(B[[[I]]]) + H[[[I]]]
        c = B[i] + H[i]
        # CHECK-NEXT: d: T.int32 = T.int32(I8[[[I]]]) + 200
        d = I8[i] + 200
        # CHECK-NEXT: e: T.uint8 = U8[[[I]]] + T.uint8(I8[[[I]]])
        e = U8[i] + I8[i]
        # Beside bits it is of their type.
        # CHECK-NEXT: low: T.uint8 = U8[[[I]]] >> T.uint8(4) & T.uint8(15)
        low = (U8[i] >> 4) & 15
        # CHECK-NEXT: bit: T.int8 = T.int8(1) << I8[[[I]]]
        bit = 1 << I8[i]
        # CHECK-NEXT: f: T.int64 = T.int64(I[[[I]]]) + L[[[I]]]
        f = I[i] + L[i]
        # CHECK-NEXT: g: T.float16 = T.float16(I[[[I]]]) * H[[[I]]]
        g = I[i] * H[i]
        # CHECK-NEXT: h: T.bool = 0 <= [[I]] and [[I]] < 10
        h = 0 <= i < 10
        # CHECK-NEXT: k: T.int32 = I[[[I]]] // 4 % 3
        k = I[i] // 4 % 3
        # CHECK-NEXT: m: T.bool = h and I[[[I]]] > 2 or not h
        m = (h & (I[i] > 2)) | ~h
        # CHECK-NEXT: n: T.float32 = a if h else T.float32(b)
        n = a if h else b
        # CHECK-NEXT: p: T.float32 = T.exp2(scale) + -T.infinity("float32")
        p = T.exp2(scale) + -T.infinity("float32")
        # CHECK-NEXT: q: T.float16 = T.float16(a)
        q = a.astype("float16")
        # CHECK-NEXT: r: T.float32 = T.max(T.min(a, 1.0), 0.0)
        r = T.clamp(a, 0.0, 1.0)
        # CHECK-NEXT: s: T.int32 = (k + 7) // 8
        s = T.ceildiv(k, 8)
        # Constants fold; an integer constant is a Python int again.
        # CHECK-NEXT: O[[[I]]] = 22.0
        O[i] = T.ceildiv(100, 32) * 2 + T.max(3, 5) + (k * 0 + 9)
        # A store converts.
        # CHECK-NEXT: O[[[I]]] = T.float32(q)
        O[i] = q
        # CHECK-NEXT: H[[[I]]] = T.float16(1.5)
        H[i] = 1.5
