# tilescope-ir 1
# ./dev lit tests/passes/plan_pipeline_explicit.py
# RUN: tilescope opt --passes 'plan-pipeline' %s | FileCheck %s

# Order and stage as the kernel asks for them; num_stages does not count then.

# Copies first, one iteration ahead: two versions, as with num_stages=2.
# CHECK-LABEL: def asked_0(
# CHECK: for k in T.Pipelined(0, n, num_stages=4, order=[0, 1, 2], stage=[0, 0, 1], schedule=[(0, 0, 0, 0), (1, 1, 0, 0), (2, 2, 1, -1)], versions={A_s: 2, B_s: 2}):
@T.prim_func(properties=["tile"])
def asked_0(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
            O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=4, order=[0, 1, 2], stage=[0, 0, 1]):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# Two ahead: three versions.
# CHECK-LABEL: def asked_1(
# CHECK: for k in T.Pipelined(0, n, num_stages=4, order=[0, 1, 2], stage=[0, 0, 2], schedule=[(0, 0, 0, 0), (1, 1, 0, 0), (2, 2, 2, -1)], versions={A_s: 3, B_s: 3}):
@T.prim_func(properties=["tile"])
def asked_1(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
            O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=4, order=[0, 1, 2], stage=[0, 0, 2]):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# Copies after the gemm, one ahead: the slot is free by then, one version.
# CHECK-LABEL: def asked_2(
# CHECK: for k in T.Pipelined(0, n, num_stages=4, order=[1, 2, 0], stage=[0, 0, 1], schedule=[(0, 1, 0, 0), (1, 2, 0, 0), (2, 0, 1, -1)], versions={A_s: 1, B_s: 1}):
@T.prim_func(properties=["tile"])
def asked_2(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
            O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=4, order=[1, 2, 0], stage=[0, 0, 1]):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# Two ahead: two versions.
# CHECK-LABEL: def asked_3(
# CHECK: for k in T.Pipelined(0, n, num_stages=4, order=[1, 2, 0], stage=[0, 0, 2], schedule=[(0, 1, 0, 0), (1, 2, 0, 0), (2, 0, 2, -1)], versions={A_s: 2, B_s: 2}):
@T.prim_func(properties=["tile"])
def asked_3(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
            O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=4, order=[1, 2, 0], stage=[0, 0, 2]):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# B before the gemm, A after it: groups of their own, two versions of B only.
# CHECK-LABEL: def asked_4(
# CHECK: for k in T.Pipelined(0, n, num_stages=4, order=[2, 0, 1], stage=[0, 0, 1], schedule=[(0, 2, 0, 0), (1, 0, 0, 1), (2, 1, 1, -1)], versions={A_s: 1, B_s: 2}):
@T.prim_func(properties=["tile"])
def asked_4(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
            O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=4, order=[2, 0, 1], stage=[0, 0, 1]):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# B is copied and waited for in one step.
# CHECK-LABEL: def asked_5(
# CHECK: for k in T.Pipelined(0, n, num_stages=4, order=[0, 1, 2], stage=[0, 1, 1], schedule=[(0, 0, 0, 0), (1, 1, 1, 1), (2, 2, 1, -1)], versions={A_s: 2, B_s: 1}):
@T.prim_func(properties=["tile"])
def asked_5(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
            O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=4, order=[0, 1, 2], stage=[0, 1, 1]):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# Places and stages may have gaps.
# CHECK-LABEL: def asked_6(
# CHECK: for k in T.Pipelined(0, n, num_stages=4, order=[0, 2, 4], stage=[3, 3, 4], schedule=[(0, 0, 3, 0), (1, 2, 3, 0), (2, 4, 4, -1)], versions={A_s: 2, B_s: 2}):
@T.prim_func(properties=["tile"])
def asked_6(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
            O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=4, order=[0, 2, 4], stage=[3, 3, 4]):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# A replayable bind needs no slot.
# CHECK-LABEL: def bind_without_slot(
# CHECK: for k in T.Pipelined(0, 8, num_stages=0, order=[1, 0], stage=[0, 1], schedule=[(1, 1, 0, 0), (2, 0, 1, -1)], versions={A_s: 1}):
@T.prim_func(properties=["tile"])
def bind_without_slot(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                      O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=0, order=[1, 0], stage=[0, 1]):
            page: T.int32 = k + 1
            T.copy(A[0:64, page * 64:page * 64 + 64], A_s[0:64, 0:64])
            T.copy(A_s[0:64, 0:64], O[0:64, 0:64])

# The slot that it was given is ignored.
# CHECK-LABEL: def bind_with_slot(
# CHECK: for k in T.Pipelined(0, 8, num_stages=0, order=[0, 1, 2], stage=[0, 0, 1], schedule=[(1, 1, 0, 0), (2, 2, 1, -1)], versions={A_s: 2}):
@T.prim_func(properties=["tile"])
def bind_with_slot(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                   O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=0, order=[0, 1, 2], stage=[0, 0, 1]):
            page: T.int32 = k + 1
            T.copy(A[0:64, page * 64:page * 64 + 64], A_s[0:64, 0:64])
            T.copy(A_s[0:64, 0:64], O[0:64, 0:64])

# A bind that reads a pipelined buffer has a slot, in the last stage with its users.
# CHECK-LABEL: def bind_of_tile(
# CHECK: for k in T.Pipelined(0, 8, num_stages=0, order=[0, 1, 2], stage=[0, 1, 1], schedule=[(0, 0, 0, 0), (1, 1, 1, -1), (2, 2, 1, -1)], versions={A_s: 2}):
@T.prim_func(properties=["tile"])
def bind_of_tile(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                 O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=0, order=[0, 1, 2], stage=[0, 1, 1]):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            first: T.float16 = A_s[0, 0]
            O[0, k] = first

# A computation may run ahead as well: it fills versions of its own.
# CHECK-LABEL: def computed_ahead(
# CHECK: for k in T.Pipelined(0, n, num_stages=0, order=[0, 1, 2], stage=[0, 1, 2], schedule=[(0, 0, 0, 0), (1, 1, 1, -1), (2, 2, 2, -1)], versions={A_s: 2, B_s: 2}):
@T.prim_func(properties=["tile"])
def computed_ahead(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                   O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=0, order=[0, 1, 2], stage=[0, 1, 2]):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            for i, j in T.Parallel(64, 64):
                B_s[i, j] = A_s[i, j] * T.float16(2.0)
            T.gemm(B_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])
