# tilescope-ir 1
# ./dev lit tests/passes/plan_pipeline.py
# RUN: tilescope opt --passes 'plan-pipeline' %s | FileCheck %s

# The schedule lists (statement, order, stage, group); versions are per loop.

# No stages: a plain loop with synchronous copies.
# CHECK-LABEL: def gemm_0(
# CHECK: for k in T.serial(0, 8):
@T.prim_func(properties=["tile"])
def gemm_0(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
           O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=0):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# One stage: the copies come after their reader, one iteration ahead, into the same slot.
# CHECK-LABEL: def gemm_1(
# CHECK: for k in T.Pipelined(0, 8, num_stages=1, schedule=[(0, 1, 0, 0), (1, 2, 0, 0), (2, 0, 1, -1)], versions={A_s: 1, B_s: 1}):
@T.prim_func(properties=["tile"])
def gemm_1(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
           O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=1):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# From two stages on the copies come first: A and B in one group, stages - 1 iterations ahead.
# CHECK-LABEL: def gemm_2(
# CHECK: for k in T.Pipelined(0, 8, num_stages=2, schedule=[(0, 0, 0, 0), (1, 1, 0, 0), (2, 2, 1, -1)], versions={A_s: 2, B_s: 2}):
@T.prim_func(properties=["tile"])
def gemm_2(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
           O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=2):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# Trip counts do not matter: 3 stages of a loop with one iteration.
# CHECK-LABEL: def gemm_3(
# CHECK: for k in T.Pipelined(0, 1, num_stages=3, schedule=[(0, 0, 0, 0), (1, 1, 0, 0), (2, 2, 2, -1)], versions={A_s: 3, B_s: 3}):
@T.prim_func(properties=["tile"])
def gemm_3(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
           O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 1, num_stages=3):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# Neither does a start that is not 0, or an unknown trip count.
# CHECK-LABEL: def gemm_4(
# CHECK: for k in T.Pipelined(3, 3 + (n - 3), num_stages=4, schedule=[(0, 0, 0, 0), (1, 1, 0, 0), (2, 2, 3, -1)], versions={A_s: 4, B_s: 4}):
@T.prim_func(properties=["tile"])
def gemm_4(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
           O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(3, n, num_stages=4):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# Attention, K in A and V in B, one stage: each is refilled at the wait for the other.
# CHECK-LABEL: def attention_1(
# CHECK: for k in T.Pipelined(0, n, num_stages=1, schedule=[(0, 4, 0, 0), (1, 0, 1, -1), (2, 2, 1, -1), (3, 3, 1, -1), (4, 1, 1, 1), (5, 5, 1, -1)], versions={A_s: 1, B_s: 1}):
@T.prim_func(properties=["tile"])
def attention_1(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                O: T.Tensor((512, 512), "float16"), n: T.int32):
    Q_s = T.alloc_shared((64, 64), "float16")
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    S = T.alloc_fragment((64, 64), "float32")
    P = T.alloc_fragment((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=1):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.fill(S[0:64, 0:64], 0.0)
            T.gemm(Q_s[0:64, 0:64], A_s[0:64, 0:64], S[0:64, 0:64], transpose_B=True)
            T.copy(S[0:64, 0:64], P[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(P[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# Two stages: K is refilled before gemm1, two iterations ahead; V before gemm0, one ahead.
# CHECK-LABEL: def attention_2(
# CHECK: for k in T.Pipelined(0, n, num_stages=2, schedule=[(0, 4, 0, 0), (1, 0, 2, -1), (2, 2, 2, -1), (3, 3, 2, -1), (4, 1, 1, 1), (5, 5, 2, -1)], versions={A_s: 2, B_s: 2}):
@T.prim_func(properties=["tile"])
def attention_2(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                O: T.Tensor((512, 512), "float16"), n: T.int32):
    Q_s = T.alloc_shared((64, 64), "float16")
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    S = T.alloc_fragment((64, 64), "float32")
    P = T.alloc_fragment((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=2):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.fill(S[0:64, 0:64], 0.0)
            T.gemm(Q_s[0:64, 0:64], A_s[0:64, 0:64], S[0:64, 0:64], transpose_B=True)
            T.copy(S[0:64, 0:64], P[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(P[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# Three stages: the same, one more.
# CHECK-LABEL: def attention_3(
# CHECK: for k in T.Pipelined(0, n, num_stages=3, schedule=[(0, 4, 0, 0), (1, 0, 3, -1), (2, 2, 3, -1), (3, 3, 3, -1), (4, 1, 1, 1), (5, 5, 3, -1)], versions={A_s: 3, B_s: 3}):
@T.prim_func(properties=["tile"])
def attention_3(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                O: T.Tensor((512, 512), "float16"), n: T.int32):
    Q_s = T.alloc_shared((64, 64), "float16")
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    S = T.alloc_fragment((64, 64), "float32")
    P = T.alloc_fragment((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=3):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.fill(S[0:64, 0:64], 0.0)
            T.gemm(Q_s[0:64, 0:64], A_s[0:64, 0:64], S[0:64, 0:64], transpose_B=True)
            T.copy(S[0:64, 0:64], P[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(P[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# Two readers: the slot is free after the last, the wait stands at the first.
# CHECK-LABEL: def two_readers(
# CHECK: for k in T.Pipelined(0, 8, num_stages=3, schedule=[(0, 0, 0, 0), (1, 1, 0, 0), (2, 2, 2, -1), (3, 3, 2, -1)], versions={A_s: 3, B_s: 3}):
@T.prim_func(properties=["tile"])
def two_readers(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=3):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])
            T.copy(A_s[0:64, 0:64], O[0:64, k * 64:k * 64 + 64])

# A consumer need not be a gemm.
# CHECK-LABEL: def elementwise(
# CHECK: for k in T.Pipelined(0, 8, num_stages=2, schedule=[(0, 0, 0, 0), (1, 1, 1, -1)], versions={A_s: 2}):
@T.prim_func(properties=["tile"])
def elementwise(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=2):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            for i, j in T.Parallel(64, 64):
                O[i, k * 64 + j] = A_s[i, j]

# A bind that reads nothing the loop writes is no statement of the schedule.
# CHECK-LABEL: def replayable_bind(
# CHECK: for k in T.Pipelined(0, 8, num_stages=3, schedule=[(1, 0, 0, 0), (2, 1, 0, 0), (3, 2, 2, -1)], versions={A_s: 3, B_s: 3}):
@T.prim_func(properties=["tile"])
def replayable_bind(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                    O: T.Tensor((512, 512), "float16"), n: T.int32, I: T.Tensor((8,), "int32")):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=3):
            page: T.int32 = I[k]
            T.copy(A[0:64, page * 64:page * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# A bind that does is one, and a copy that uses it keeps its place; the other copy runs ahead.
# CHECK-LABEL: def computed_bind(
# CHECK: for k in T.Pipelined(0, 8, num_stages=3, schedule=[(0, 0, 2, -1), (1, 1, 2, -1), (2, 2, 2, -1), (3, 3, 0, 0), (4, 4, 2, -1)], versions={A_s: 1, B_s: 3}):
@T.prim_func(properties=["tile"])
def computed_bind(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                  O: T.Tensor((512, 512), "float16"), n: T.int32, I: T.Tensor((8,), "int32")):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=3):
            I[0] = k + 1
            page: T.int32 = I[0]
            T.copy(A[0:64, page * 64:page * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# Scratch written twice in an iteration: the second write comes after the readers of the first, and
# the buffer has versions like any other.
# CHECK-LABEL: def scratch_twice(
# CHECK: for k in T.Pipelined(0, 8, num_stages=3, schedule=[(0, 0, 0, 0), (1, 1, 2, -1), (2, 2, 2, -1), (3, 3, 2, -1)], versions={A_s: 3}):
@T.prim_func(properties=["tile"])
def scratch_twice(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                  O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=3):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# A buffer that is read and then overwritten carries its value over the back edge: its copy stays.
# CHECK-LABEL: def war_over_back_edge(
# CHECK: for k in T.Pipelined(0, 8, num_stages=3, schedule=[(0, 0, 0, 0), (1, 1, 2, -1), (2, 2, 2, -1)], versions={B_s: 3}):
@T.prim_func(properties=["tile"])
def war_over_back_edge(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                       O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=3):
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])

# A copy whose source the loop writes stays: the engine reads it until the wait.
# CHECK-LABEL: def source_written(
# CHECK: for k in T.Pipelined(0, 8, num_stages=3, schedule=[(0, 0, 2, -1), (1, 1, 0, 0), (2, 2, 2, -1), (3, 3, 2, -1)], versions={A_s: 1, B_s: 3}):
@T.prim_func(properties=["tile"])
def source_written(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                   O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=3):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])
            T.copy(C[0:64, 0:64], A[0:64, 0:64])

# A copy that is not asynchronous stays; the other one runs ahead.
# CHECK-LABEL: def converting_copy(
# CHECK: for k in T.Pipelined(0, 8, num_stages=3, schedule=[(0, 0, 2, -1), (1, 1, 0, 0), (2, 2, 2, -1)], versions={A_s: 1, B_s: 3}):
@T.prim_func(properties=["tile"])
def converting_copy(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                    F: T.Tensor((512, 512), "float32"), O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=3):
            T.copy(F[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# Nothing can run ahead: a serial loop.
# CHECK-LABEL: def nothing_to_gain(
# CHECK: for k in T.serial(0, 8):
@T.prim_func(properties=["tile"])
def nothing_to_gain(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                    O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=3):
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# The inner of two pipelined loops is pipelined.
# CHECK-LABEL: def nested(
# CHECK: for k1 in T.serial(0, 8):
# CHECK: for k in T.Pipelined(0, 8, num_stages=3, schedule=[(0, 0, 0, 0), (1, 1, 2, -1)], versions={A_s: 3}):
@T.prim_func(properties=["tile"])
def nested(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
           O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k1 in T.Pipelined(0, 8, num_stages=2):
            T.copy(B[0:64, k1 * 64:k1 * 64 + 64], B_s[0:64, 0:64])
            for k in T.Pipelined(0, 8, num_stages=3):
                T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
                T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# Bounds that read memory are bound before the loop: guards and slots mention them again.
# CHECK-LABEL: def bounds_from_memory(
# CHECK: k_start: T.int32 = I[bx + 8]
# CHECK-NEXT: k_trips: T.int32 = I[bx] - I[bx + 8]
# CHECK-NEXT: for k in T.Pipelined(k_start, k_start + k_trips, num_stages=2, schedule=[(0, 0, 0, 0), (1, 1, 0, 0), (2, 2, 1, -1)], versions={A_s: 2, B_s: 2}):
@T.prim_func(properties=["tile"])
def bounds_from_memory(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                       O: T.Tensor((512, 512), "float16"), n: T.int32, I: T.Tensor((16,), "int32")):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(I[bx + 8], I[bx], num_stages=2):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])
