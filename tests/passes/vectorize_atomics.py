# tilescope-ir 1
# ./dev lit tests/passes/vectorize_atomics.py
# RUN: tilescope opt %s --target sm_90a --passes vectorize-atomics | FileCheck %s
# RUN: tilescope opt %s --target sm_80 --passes vectorize-atomics | FileCheck %s --check-prefix=OLD

# Values go through an array, and a condition of one value for both elements is asked once.
# CHECK-LABEL: def guarded_pairs(
# CHECK: C_vec = T.alloc_local((2,), "bfloat16", source="C", role="vec")
# CHECK: row: T.int32 = tx // 4
# CHECK-NEXT: col: T.int32 = tx % 4 * 2
# CHECK-NEXT: if row < M:
# CHECK-NEXT: for v in T.unroll(0, 2):
# CHECK-NEXT: C_vec[v] = T.bfloat16(f[v])
# CHECK-NEXT: T.atomic_vector(C[row, col:col + 2], C_vec[0:2], bytes=4)
# OLD-LABEL: def guarded_pairs(
# OLD: T.atomic_vector(C[row, col:col + 2], C_vec[0:2], bytes=4)
@T.prim_func(properties=["lowered"])
def guarded_pairs(
    C: T.Tensor((M, 8), "bfloat16"),
    M: T.int32,
):
    f = T.alloc_local((2,), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        for v in T.unroll(0, 2):
            row: T.int32 = tx // 4
            col: T.int32 = tx % 4 * 2 + v
            if row < M:
                T.atomic_element(C[row, col], T.bfloat16(f[v]))

# As many at a time as the target adds, here 16 bytes or 4; floats only where it adds several.
# CHECK-LABEL: def long_runs(
# CHECK: T.atomic_vector(H[tx * 16:tx * 16 + 8], H_vec[0:8], bytes=16)
# CHECK-NEXT: T.atomic_vector(H[tx * 16 + 8:tx * 16 + 16], H_vec[8:16], bytes=16)
# CHECK: T.atomic_vector(F[tx * 4:tx * 4 + 4], F_vec[0:4], bytes=16)
# OLD-LABEL: def long_runs(
# OLD-COUNT-8: T.atomic_vector(H[{{.*}}], H_vec[{{.*}}], bytes=4)
# OLD-NOT: T.atomic_vector
# OLD: T.atomic_element(F[tx * 4 + v], f[v])
@T.prim_func(properties=["lowered"])
def long_runs(
    H: T.Tensor((512,), "float16"),
    F: T.Tensor((128,), "float32"),
):
    f = T.alloc_local((16,), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        for v in T.unroll(0, 16):
            T.atomic_element(H[tx * 16 + v], T.float16(f[v]))
        for v in T.vectorized(0, 4):
            T.atomic_element(F[tx * 4 + v], f[v])

# What the loop needs is known before it; sums of other elements stay what they are.
# CHECK-LABEL: def left_alone(
# CHECK-NOT: T.atomic_vector
@T.prim_func(properties=["lowered"])
def left_alone(
    A: T.Tensor((256,), "bfloat16"),
    B: T.Tensor((256,), "float32"),
    I: T.Tensor((256,), "int32"),
    N: T.int32,
):
    s = T.alloc_shared((256,), "bfloat16")
    r = T.alloc_local((4,), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        # No pair is known to start at an even element.
        for v in T.unroll(0, 2):
            T.atomic_element(A[tx + v], T.bfloat16(1.0))
        # A condition that may hold for one element of a pair.
        for v in T.unroll(0, 2):
            if tx * 2 + v < N:
                T.atomic_element(A[tx * 2 + v], T.bfloat16(1.0))
        # Each sum reads what the one before left.
        for v in T.unroll(0, 2):
            T.atomic_element(B[tx * 2 + v], B[tx * 2])
        # Others wait for it; the larger of both; integers; shared memory; not adjacent.
        for v in T.unroll(0, 2):
            T.atomic_element(B[tx * 2 + v], r[v], order="release")
        for v in T.unroll(0, 2):
            T.atomic_element(B[tx * 2 + v], r[v], kind="max")
        for v in T.unroll(0, 2):
            T.atomic_element(I[tx * 2 + v], 1)
        for v in T.unroll(0, 2):
            T.atomic_element(s[tx * 2 + v], T.bfloat16(r[v]))
        for v in T.unroll(0, 2):
            T.atomic_element(B[tx + v * 32], r[v])
        # The loop does more than that.
        for v in T.unroll(0, 2):
            T.atomic_element(B[tx * 2 + v], r[v])
            r[v + 2] = r[v]
        for v in T.unroll(0, 2):
            T.atomic_element(B[tx * 2 + v], r[v])
            T.atomic_element(B[tx * 2 + v + 64], r[v])

# What the kernel wrote is aligned or not; what it adds from memory is loaded before.
# CHECK-LABEL: def written(
# CHECK: T.atomic_vector(A[tx * 4:tx * 4 + 4], f[0:4], bytes=16)
# CHECK-NEXT: T.atomic_vector(A[tx:tx + 4], f[0:4]){{$}}
# CHECK-NEXT: T.atomic_vector(A[tx * 2:tx * 2 + 4], f[0:4], bytes=8)
# CHECK-NEXT: for v in T.unroll(0, 4):
# CHECK-NEXT: A_vec[v] = s[bx, tx * 4 + v]
# CHECK-NEXT: T.atomic_vector(A[tx * 4:tx * 4 + 4], A_vec[0:4], bytes=16)
# OLD-LABEL: def written(
# OLD-NOT: bytes
@T.prim_func(properties=["lowered"])
def written(
    A: T.Tensor((256,), "float32"),
):
    s = T.alloc_shared((1, 256,), "float32")
    f = T.alloc_local((4,), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.atomic_vector(A[tx * 4:tx * 4 + 4], f[0:4])
        T.atomic_vector(A[tx:tx + 4], f[0:4])
        T.atomic_vector(A[tx * 2:tx * 2 + 4], f[0:4])
        T.atomic_vector(A[tx * 4:tx * 4 + 4], s[bx, tx * 4:tx * 4 + 4])
