# tilescope-ir 1
# ./dev lit tests/passes/inject_pipeline_siblings.py
# RUN: tilescope opt --passes 'plan-pipeline,inject-pipeline' %s | FileCheck %s

# Several loops, and accesses between them: which slot is meant where.

# Each loop indexes modulo its own count; the table has the largest.
# CHECK-LABEL: def stages_2_4(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=4)
# CHECK: for k0 in T.serial(0, 8, num_stages=2, versions={A_s: 2}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK: T.gemm(A_s[k0 % 2, 0:64, 0:64], A_s[k0 % 2, 0:64, 0:64], C[0:64, 0:64])
# CHECK: for k1 in T.serial(0, n, num_stages=4, versions={A_s: 4}, injected=True):
# CHECK-NEXT: T.wait_group(pending=2)
# CHECK: T.gemm(A_s[k1 % 4, 0:64, 0:64], A_s[k1 % 4, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def stages_2_4(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
               O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k0 in T.Pipelined(0, 8, num_stages=2):
            T.copy(A[0:64, k0 * 64:k0 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        for k1 in T.Pipelined(0, n, num_stages=4):
            T.copy(A[0:64, k1 * 64:k1 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# The other way round.
# CHECK-LABEL: def stages_4_2(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=4)
# CHECK: for k0 in T.serial(0, 8, num_stages=4, versions={A_s: 4}, injected=True):
# CHECK-NEXT: T.wait_group(pending=2)
# CHECK: T.gemm(A_s[k0 % 4, 0:64, 0:64], A_s[k0 % 4, 0:64, 0:64], C[0:64, 0:64])
# CHECK: for k1 in T.serial(0, n, num_stages=2, versions={A_s: 2}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK: T.gemm(A_s[k1 % 2, 0:64, 0:64], A_s[k1 % 2, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def stages_4_2(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
               O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k0 in T.Pipelined(0, 8, num_stages=4):
            T.copy(A[0:64, k0 * 64:k0 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        for k1 in T.Pipelined(0, n, num_stages=2):
            T.copy(A[0:64, k1 * 64:k1 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# A loop of one version uses slot 0 of three.
# CHECK-LABEL: def stages_3_1(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=3)
# CHECK: for k0 in T.serial(0, 8, num_stages=3, versions={A_s: 3}, injected=True):
# CHECK-NEXT: T.wait_group(pending=1)
# CHECK: T.gemm(A_s[k0 % 3, 0:64, 0:64], A_s[k0 % 3, 0:64, 0:64], C[0:64, 0:64])
# CHECK: for k1 in T.serial(0, n, num_stages=1, versions={A_s: 1}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK-NEXT: T.gemm(A_s[0, 0:64, 0:64], A_s[0, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def stages_3_1(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
               O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k0 in T.Pipelined(0, 8, num_stages=3):
            T.copy(A[0:64, k0 * 64:k0 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        for k1 in T.Pipelined(0, n, num_stages=1):
            T.copy(A[0:64, k1 * 64:k1 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# And before.
# CHECK-LABEL: def stages_1_3(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=3)
# CHECK: for k0 in T.serial(0, 8, num_stages=1, versions={A_s: 1}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK-NEXT: T.gemm(A_s[0, 0:64, 0:64], A_s[0, 0:64, 0:64], C[0:64, 0:64])
# CHECK: for k1 in T.serial(0, n, num_stages=3, versions={A_s: 3}, injected=True):
# CHECK-NEXT: T.wait_group(pending=1)
# CHECK: T.gemm(A_s[k1 % 3, 0:64, 0:64], A_s[k1 % 3, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def stages_1_3(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
               O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k0 in T.Pipelined(0, 8, num_stages=1):
            T.copy(A[0:64, k0 * 64:k0 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        for k1 in T.Pipelined(0, n, num_stages=3):
            T.copy(A[0:64, k1 * 64:k1 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# Equal counts.
# CHECK-LABEL: def stages_2_2(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=2)
# CHECK: for k0 in T.serial(0, 8, num_stages=2, versions={A_s: 2}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK: T.gemm(A_s[k0 % 2, 0:64, 0:64], A_s[k0 % 2, 0:64, 0:64], C[0:64, 0:64])
# CHECK: for k1 in T.serial(0, n, num_stages=2, versions={A_s: 2}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK: T.gemm(A_s[k1 % 2, 0:64, 0:64], A_s[k1 % 2, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def stages_2_2(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
               O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k0 in T.Pipelined(0, 8, num_stages=2):
            T.copy(A[0:64, k0 * 64:k0 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        for k1 in T.Pipelined(0, n, num_stages=2):
            T.copy(A[0:64, k1 * 64:k1 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# A loop without stages overwrites slot 0.
# CHECK-LABEL: def stages_0_3(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=3)
# CHECK: for k0 in T.serial(0, 8):
# CHECK: T.gemm(A_s[0, 0:64, 0:64], A_s[0, 0:64, 0:64], C[0:64, 0:64])
# CHECK: for k1 in T.serial(0, n, num_stages=3, versions={A_s: 3}, injected=True):
# CHECK-NEXT: T.wait_group(pending=1)
# CHECK: T.gemm(A_s[k1 % 3, 0:64, 0:64], A_s[k1 % 3, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def stages_0_3(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
               O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k0 in T.Pipelined(0, 8, num_stages=0):
            T.copy(A[0:64, k0 * 64:k0 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        for k1 in T.Pipelined(0, n, num_stages=3):
            T.copy(A[0:64, k1 * 64:k1 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# Three loops: nothing is expanded twice.
# CHECK-LABEL: def stages_2_3_4(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=4)
# CHECK: for k0 in T.serial(0, 8, num_stages=2, versions={A_s: 2}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK: T.gemm(A_s[k0 % 2, 0:64, 0:64], A_s[k0 % 2, 0:64, 0:64], C[0:64, 0:64])
# CHECK: for k1 in T.serial(0, n, num_stages=3, versions={A_s: 3}, injected=True):
# CHECK-NEXT: T.wait_group(pending=1)
# CHECK: T.gemm(A_s[k1 % 3, 0:64, 0:64], A_s[k1 % 3, 0:64, 0:64], C[0:64, 0:64])
# CHECK: for k2 in T.serial(0, 8, num_stages=4, versions={A_s: 4}, injected=True):
# CHECK-NEXT: T.wait_group(pending=2)
# CHECK: T.gemm(A_s[k2 % 4, 0:64, 0:64], A_s[k2 % 4, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def stages_2_3_4(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                 O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k0 in T.Pipelined(0, 8, num_stages=2):
            T.copy(A[0:64, k0 * 64:k0 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        for k1 in T.Pipelined(0, n, num_stages=3):
            T.copy(A[0:64, k1 * 64:k1 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        for k2 in T.Pipelined(0, 8, num_stages=4):
            T.copy(A[0:64, k2 * 64:k2 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# A read after the loop finds the value of the last iteration.
# CHECK-LABEL: def read_after(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=3)
# CHECK: for k in T.serial(0, 8, num_stages=3, versions={A_s: 3}, injected=True):
# CHECK-NEXT: T.wait_group(pending=1)
# CHECK: T.gemm(A_s[k % 3, 0:64, 0:64], A_s[k % 3, 0:64, 0:64], C[0:64, 0:64])
# CHECK-NEXT: T.copy(A_s[1, 0:64, 0:64], O[0:64, 0:64])
@T.prim_func(properties=["tile"])
def read_after(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
               O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=3):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        T.copy(A_s[0:64, 0:64], O[0:64, 0:64])

# What was there before counts if the loop may not run.
# CHECK-LABEL: def read_after_unknown(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=3)
# CHECK: for k in T.serial(0, n, num_stages=3, versions={A_s: 3}, injected=True):
# CHECK-NEXT: T.wait_group(pending=1)
# CHECK: T.gemm(A_s[k % 3, 0:64, 0:64], A_s[k % 3, 0:64, 0:64], C[0:64, 0:64])
# CHECK-NEXT: T.copy(A_s[(n - 1) % 3 if 0 < n else 0, 0:64, 0:64], O[0:64, 0:64])
@T.prim_func(properties=["tile"])
def read_after_unknown(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                       O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        T.fill(A_s[0:64, 0:64], T.float16(0.0))
        for k in T.Pipelined(0, n, num_stages=3):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        T.copy(A_s[0:64, 0:64], O[0:64, 0:64])

# Two such loops: the choice is made twice.
# CHECK-LABEL: def read_after_two(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=3)
# CHECK: for k0 in T.serial(0, n, num_stages=3, versions={A_s: 3}, injected=True):
# CHECK-NEXT: T.wait_group(pending=1)
# CHECK: T.gemm(A_s[k0 % 3, 0:64, 0:64], A_s[k0 % 3, 0:64, 0:64], C[0:64, 0:64])
# CHECK: for k1 in T.serial(0, n - 1, num_stages=2, versions={A_s: 2}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK: T.gemm(A_s[k1 % 2, 0:64, 0:64], A_s[k1 % 2, 0:64, 0:64], C[0:64, 0:64])
# CHECK-NEXT: T.copy(A_s[(n - 1 - 1) % 2 if 0 < n - 1 else (n - 1) % 3, 0:64, 0:64], O[0:64, 0:64])
@T.prim_func(properties=["tile"])
def read_after_two(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                   O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k0 in T.Pipelined(0, n, num_stages=3):
            T.copy(A[0:64, k0 * 64:k0 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        for k1 in T.Pipelined(0, n - 1, num_stages=2):
            T.copy(A[0:64, k1 * 64:k1 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        T.copy(A_s[0:64, 0:64], O[0:64, 0:64])

# An overwrite after the loop goes to slot 0, and is found there.
# CHECK-LABEL: def overwrite_after(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=3)
# CHECK: for k in T.serial(0, n, num_stages=3, versions={A_s: 3}, injected=True):
# CHECK-NEXT: T.wait_group(pending=1)
# CHECK: T.gemm(A_s[k % 3, 0:64, 0:64], A_s[k % 3, 0:64, 0:64], C[0:64, 0:64])
# CHECK-NEXT: T.fill(A_s[0, 0:64, 0:64], T.float16(0.0))
# CHECK-NEXT: T.copy(A_s[0, 0:64, 0:64], O[0:64, 0:64])
@T.prim_func(properties=["tile"])
def overwrite_after(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                    O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=3):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        T.fill(A_s[0:64, 0:64], T.float16(0.0))
        T.copy(A_s[0:64, 0:64], O[0:64, 0:64])

# A loop reads what an earlier one left; both buffers have versions.
# CHECK-LABEL: def read_in_next(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=3)
# CHECK-NEXT: B_s = T.alloc_shared((64, 64), "float16", versions=2)
# CHECK: for k0 in T.serial(0, n, num_stages=3, versions={A_s: 3}, injected=True):
# CHECK-NEXT: T.wait_group(pending=1)
# CHECK: T.gemm(A_s[k0 % 3, 0:64, 0:64], A_s[k0 % 3, 0:64, 0:64], C[0:64, 0:64])
# CHECK: for k1 in T.serial(0, 8, num_stages=2, versions={B_s: 2}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK: T.gemm(A_s[(n - 1) % 3, 0:64, 0:64], B_s[k1 % 2, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def read_in_next(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                 O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k0 in T.Pipelined(0, n, num_stages=3):
            T.copy(A[0:64, k0 * 64:k0 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        for k1 in T.Pipelined(0, 8, num_stages=2):
            T.copy(B[0:64, k1 * 64:k1 * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# By one path the value is in slot 0, by the other where the loop left it: the buffer keeps one version,
# and so the copy of that loop its place after the gemm.
# CHECK-LABEL: def merge(
# CHECK: A_s = T.alloc_shared((64, 64), "float16")
# CHECK: for k in T.serial(0, 8, num_stages=3, versions={A_s: 1}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK-NEXT: T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
# CHECK: T.copy(A_s[0:64, 0:64], O[0:64, 0:64])
@T.prim_func(properties=["tile"])
def merge(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
          O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        T.fill(A_s[0:64, 0:64], T.float16(0.0))
        if n < 4:
            for k in T.Pipelined(0, 8, num_stages=3):
                T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
                T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        T.copy(A_s[0:64, 0:64], O[0:64, 0:64])

# Two loops disagree about an outer buffer whose value is not needed where they meet: no conflict.
# CHECK-LABEL: def merge_dead(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=3)
# CHECK: for k0 in T.serial(0, 8, num_stages=3, versions={A_s: 3}, injected=True):
# CHECK-NEXT: T.wait_group(pending=1)
# CHECK: T.gemm(A_s[k0 % 3, 0:64, 0:64], A_s[k0 % 3, 0:64, 0:64], C[0:64, 0:64])
# CHECK: for k1 in T.serial(0, 8, num_stages=2, versions={A_s: 2}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK: T.gemm(A_s[k1 % 2, 0:64, 0:64], A_s[k1 % 2, 0:64, 0:64], C[0:64, 0:64])
# CHECK: for k2 in T.serial(0, 8, num_stages=2, versions={A_s: 2}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK: T.gemm(A_s[k2 % 2, 0:64, 0:64], A_s[k2 % 2, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def merge_dead(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
               O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        if n < 4:
            for k0 in T.Pipelined(0, 8, num_stages=3):
                T.copy(A[0:64, k0 * 64:k0 * 64 + 64], A_s[0:64, 0:64])
                T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        else:
            for k1 in T.Pipelined(0, 8, num_stages=2):
                T.copy(A[0:64, k1 * 64:k1 * 64 + 64], A_s[0:64, 0:64])
                T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        for k2 in T.Pipelined(0, 8, num_stages=2):
            T.copy(A[0:64, k2 * 64:k2 * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# It is needed: both keep one version.
# CHECK-LABEL: def merge_live(
# CHECK: A_s = T.alloc_shared((64, 64), "float16")
# CHECK: for k0 in T.serial(0, 9, num_stages=3, versions={A_s: 1}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK-NEXT: T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
# CHECK: for k1 in T.serial(0, 8, num_stages=2, versions={A_s: 1}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK-NEXT: T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
# CHECK: T.copy(A_s[0:64, 0:64], O[0:64, 0:64])
@T.prim_func(properties=["tile"])
def merge_live(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
               O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        if n < 4:
            for k0 in T.Pipelined(0, 9, num_stages=3):
                T.copy(A[0:64, k0 * 64:k0 * 64 + 64], A_s[0:64, 0:64])
                T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        else:
            for k1 in T.Pipelined(0, 8, num_stages=2):
                T.copy(A[0:64, k1 * 64:k1 * 64 + 64], A_s[0:64, 0:64])
                T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
        T.copy(A_s[0:64, 0:64], O[0:64, 0:64])

# The value lives over the back edge of an outer loop, in a slot that depends on the way: one version.
# CHECK-LABEL: def outer_loop(
# CHECK: A_s = T.alloc_shared((64, 64), "float16")
# CHECK: T.copy(A_s[0:64, 0:64], O[0:64, 0:64])
# CHECK: for k in T.serial(0, 8, num_stages=3, versions={A_s: 1}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK-NEXT: T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def outer_loop(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
               O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        T.fill(A_s[0:64, 0:64], T.float16(0.0))
        for s in T.serial(0, n):
            T.copy(A_s[0:64, 0:64], O[0:64, 0:64])
            for k in T.Pipelined(0, 8, num_stages=3):
                T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
                T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# An outer loop that starts anew each time may contain any pipeline.
# CHECK-LABEL: def persistent(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=3)
# CHECK: for k in T.serial(0, bx + s, num_stages=3, versions={A_s: 3}, injected=True):
# CHECK-NEXT: T.wait_group(pending=1)
# CHECK: T.gemm(A_s[k % 3, 0:64, 0:64], A_s[k % 3, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def persistent(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
               O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for s in T.serial(0, n):
            for k in T.Pipelined(0, bx + s, num_stages=3):
                T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
                T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
            T.copy(C[0:64, 0:64], A_s[0:64, 0:64])
            T.copy(A_s[0:64, 0:64], O[0:64, 0:64])
