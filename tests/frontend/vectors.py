# RUN: tilescope opt --passes '' %s:packed | FileCheck %s --check-prefix=PACKED
# ./dev lit tests/frontend/vectors.py
# RUN: tilescope opt --passes '' %s:ramps | FileCheck %s --check-prefix=RAMPS
# RUN: tilescope compile %s:ramps -o - | FileCheck %s --check-prefix=CUDA
# RUN: tilescope exec --every-pass %s:packed | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope exec --every-pass %s:ramps | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: exits 2 tilescope opt --passes '' %s:wrong 2>&1 | FileCheck %s --check-prefix=WRONG
# RIGHT: insert-barriers#2 {{.*}}equal

# A vector is the expressions of its lanes; a buffer of vectors has an axis more.
import tilelang.language as T


@T.prim_func
def packed(
    A: T.Tensor((32, 8), "float16"),
    C: T.Tensor((32, 8), "float16"),
    U: T.Tensor((32, 4), "uint32"),
    M: T.Tensor((32, 8), "float16"),
):
    # PACKED-DAG: best = T.alloc_local((4, 2), "float16")
    # PACKED-DAG: sum = T.alloc_local((1, 2), "float32")
    with T.Kernel(1, threads=32) as bx:
        tx = T.get_thread_binding()
        best = T.alloc_local((4,), T.float16x2)
        assert best.shape[0] == 4 and best.ndim == 1 and best.dtype == "float16x2" and best.dtype.lanes == 2
        flat = T.view(best, (8,), T.float16)
        half = T.float16x2(0.5)
        sum = T.alloc_var("float32x2", T.float32x2(1.0, 2.0))
        for j in T.unroll(4):
            pair = T.float16x2(A[tx, j * 2], A[tx, j * 2 + 1])
            # PACKED: pair_0: T.float16 = A[tx, j * 2]
            # PACKED: best[j, 0] = T.max(T.abs(pair_0), T.float16(0.5))
            # PACKED-NEXT: best[j, 1] = T.max(T.abs(pair_1), T.float16(0.5))
            best[j] = T.max2(T.abs2(pair), half)
            # PACKED: U[tx, j] = {{.*}} | {{.*}} << T.uint32(16)
            U[tx, j] = T.reinterpret(T.fma2(pair, half, T.mul2(pair, pair)), T.uint32)
            back = T.reinterpret(U[tx, j], "float16x2")
            C[tx, j * 2] = T.extract_lane(back, 0)
            C[tx, j * 2 + 1] = T.extract_lane(T.sub2(back, half), 1)
            sum += T.cast(pair, "float32x2")
        for j in T.vectorized(8):
            M[tx, j] = flat[j]
        M[tx, T.Ramp(0, 1, 2)] = sum


@T.prim_func
def ramps(A: T.Tensor((256,), "float32"), B: T.Tensor((256,), "float32"), C: T.Tensor((256,), "float32"), E: T.Tensor((256,), "float32")):
    with T.Kernel(1, threads=64) as bx:
        tx = T.get_thread_binding()
        s = T.alloc_shared((64,), "float32x2")
        # RAMPS: idx: T.int32 = tx * 4
        # RAMPS-NEXT: for lane in T.vectorized(0, 4):
        # RAMPS-NEXT: C[idx + lane] = A[idx + lane] * B[idx + lane] + 2.0
        # CUDA: reinterpret_cast<
        idx = T.Ramp(tx * 4, 1, 4)
        C[idx] = A[idx] * B[idx] + T.Broadcast(2.0, 4)
        # What another lane of the same tensor is stored to is read before.
        # RAMPS: lane: T.float32 = C[odd + 1]
        # RAMPS-NEXT: lane_1: T.float32 = C[odd]
        # RAMPS-NEXT: C[odd] = lane
        # RAMPS-NEXT: C[odd + 1] = lane_1
        odd = T.Ramp(tx * 4 + 2, 1, 2)
        C[odd] = T.Shuffle([C[odd]], [1, 0])
        low, high = T.vectorlow("float32x2", A[idx]), T.vectorhigh("float32x2", A[idx])
        both = T.vectorcombine("float32x4", high, low)
        E[idx] = T.if_then_else(both > 0.0, T.exp(both), -both)
        # RAMPS: for lane{{.*}} in T.vectorized(0, 2):
        # RAMPS-NEXT: s[tx, lane{{.*}}] = A[tx * 2 + lane{{.*}}]
        s[tx] = A[T.Ramp(tx * 2, 1, 2)]
        E[odd] += s[tx ^ 1]


@T.prim_func
def wrong(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=32) as bx:
        pair = A[T.Ramp(0, 1, 2)]
        # LaneCount
        # WRONG: [[# @LINE + 1]]:{{[0-9]+}}: error: 2 lanes beside 4
        A[T.Ramp(0, 1, 4)] = pair * T.Broadcast(1.0, 4)
        # WRONG: [[# @LINE + 1]]:{{[0-9]+}}: error: 'y' of 'T.add2' must be a vector of the type of the first, not a float16x2 vector
        a = T.add2(pair, T.cast(pair, "float16x2"))
        # WRONG: [[# @LINE + 1]]:{{[0-9]+}}: error: 'x' of 'T.abs2' must be a float32x2, float16x2 or bfloat16x2, not a float32 expression
        b = T.abs2(A[0])
        # WRONG: [[# @LINE + 1]]:{{[0-9]+}}: error: a float32 cannot be reinterpreted as float16
        c = T.reinterpret(pair, "float16x2")
        # WRONG: [[# @LINE + 1]]:{{[0-9]+}}: error: index 2 is outside of 2 elements
        d = T.extract_lane(pair, 2)
        # WRONG: [[# @LINE + 1]]:{{[0-9]+}}: error: the vector type float32x4 here is not supported yet
        e = T.call_extern("float32x4", "f", A[0])
