# tilescope-ir 1
# ./dev lit tests/passes/inject_pipeline_accesses.py
# RUN: tilescope opt --passes 'plan-pipeline,inject-pipeline' %s | FileCheck %s

# What happens to the single accesses of a body.

# Predicates and indices of other statements stay as they are; slots are added.
# CHECK-LABEL: def indices(
# CHECK: for i, j in T.Parallel(64, 64):
# CHECK-NEXT: if i + k * 64 < n and not j == 3:
# CHECK-NEXT: O[i + k * 64, j // 2 * 2] = A_s[k % 2, i, j] + A_s[k % 2, j, i % 32]
@T.prim_func(properties=["tile"])
def indices(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
            O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=2):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            for i, j in T.Parallel(64, 64):
                if i + k * 64 < n and not j == 3:
                    O[i + k * 64, j // 2 * 2] = A_s[i, j] + A_s[j, i % 32]

# An access under a condition that reads the buffer.
# CHECK-LABEL: def condition(
# CHECK: for k in T.serial(0, 8, num_stages=2, versions={A_s: 2}, injected=True):
# CHECK: if A_s[k % 2, 0, 0] < T.float16(1.0):
# CHECK-NEXT: T.gemm(A_s[k % 2, 0:64, 0:64], A_s[k % 2, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def condition(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
              O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=2):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            if A_s[0, 0] < T.float16(1.0):
                T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# Buffers that no loop uses, and those that it only reads, stay as they are; so do tensors that it writes.
# CHECK-LABEL: def untouched(
# CHECK: Q_s = T.alloc_shared((64, 64), "float16")
# CHECK-NEXT: U_s = T.alloc_shared((64, 64), "float16")
# CHECK-NEXT: A_s = T.alloc_shared((64, 64), "float16", versions=3)
# CHECK-NEXT: C = T.alloc_fragment((64, 64), "float32")
# CHECK: T.fill(U_s[0:64, 0:64], T.float16(1.0))
# CHECK: T.gemm(Q_s[0:64, 0:64], A_s[k % 3, 0:64, 0:64], C[0:64, 0:64])
# CHECK-NEXT: T.copy(C[0:64, 0:64], O[0:64, 0:64])
@T.prim_func(properties=["tile"])
def untouched(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
              O: T.Tensor((512, 512), "float16"), n: T.int32):
    Q_s = T.alloc_shared((64, 64), "float16")
    U_s = T.alloc_shared((64, 64), "float16")
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        T.fill(Q_s[0:64, 0:64], T.float16(1.0))
        T.fill(U_s[0:64, 0:64], T.float16(1.0))
        for k in T.Pipelined(0, 8, num_stages=3):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(Q_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
            T.copy(C[0:64, 0:64], O[0:64, 0:64])

# A static shared array has versions like any other; a fragment has none.
# CHECK-LABEL: def static_shared(
# CHECK: A_s = T.alloc_shared_static((64, 64), "float16", versions=2)
# CHECK-NEXT: C = T.alloc_fragment((64, 64), "float32")
@T.prim_func(properties=["tile"])
def static_shared(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                  O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared_static((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=2):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# Binds are evaluated again for the iteration that is copied; the loop keeps its own.
# CHECK-LABEL: def binds(
# CHECK: page: T.int32 = I[0]
# CHECK-NEXT: row: T.int32 = page * 64
# CHECK-NEXT: T.copy(A[row:row + 64, 0:64], A_s[0, 0:64, 0:64], is_async=True)
# CHECK: for k in T.serial(0, 8, num_stages=2, versions={A_s: 2}, injected=True):
# CHECK-NEXT: page_1: T.int32 = I[k]
# CHECK-NEXT: row_1: T.int32 = page_1 * 64
# CHECK: if k + 1 < 8:
# CHECK-NEXT: page_2: T.int32 = I[k + 1]
# CHECK-NEXT: row_2: T.int32 = page_2 * 64
# CHECK-NEXT: T.copy(A[row_2:row_2 + 64, 0:64], A_s[(k + 1) % 2, 0:64, 0:64], is_async=True)
@T.prim_func(properties=["tile"])
def binds(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
          O: T.Tensor((512, 512), "float16"), n: T.int32, I: T.Tensor((8,), "int32")):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=2):
            page: T.int32 = I[k]
            row: T.int32 = page * 64
            T.copy(A[row:row + 64, 0:64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# A scratch tile that is written twice in an iteration: both writes and all reads share the slot.
# CHECK-LABEL: def scratch(
# CHECK: T.wait_group(pending=1)
# CHECK-NEXT: if k + 2 < 8:
# CHECK-NEXT: T.copy(A[0:64, (k + 2) * 64:(k + 2) * 64 + 64], A_s[(k + 2) % 3, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.gemm(A_s[k % 3, 0:64, 0:64], A_s[k % 3, 0:64, 0:64], C[0:64, 0:64])
# CHECK-NEXT: T.copy(B[0:64, k * 64:k * 64 + 64], A_s[k % 3, 0:64, 0:64])
# CHECK-NEXT: T.gemm(A_s[k % 3, 0:64, 0:64], A_s[k % 3, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def scratch(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
            O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=3):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# A copy that is not asynchronous is done in its place, the other one ahead.
# CHECK-LABEL: def converting(
# CHECK: T.copy(F[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
# CHECK-NEXT: T.wait_group()
# CHECK-NEXT: if k + 1 < 8:
# CHECK-NEXT: T.copy(B[0:64, (k + 1) * 64:(k + 1) * 64 + 64], B_s[(k + 1) % 2, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.gemm(A_s[0:64, 0:64], B_s[k % 2, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def converting(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
               F: T.Tensor((512, 512), "float32"), O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=2):
            T.copy(F[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])

# The kernel's own waits are no pipeline's business: the loop is serial.
# CHECK-LABEL: def own_waits(
# CHECK: for k in T.serial(0, 8):
# CHECK-NEXT: T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.wait_group()
# CHECK-NEXT: T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def own_waits(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
              O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=2):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64], is_async=True)
            T.commit_group()
            T.wait_group()
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# Explicit: a computation runs ahead of the last stage, with a wait of its own in the prologue.
# CHECK-LABEL: def computed_ahead(
# CHECK: if 0 < n:
# CHECK: T.wait_group()
# CHECK-NEXT: if 1 < n:
# CHECK: if 0 < n:
# CHECK: B_s[0, i, j] = A_s[0, i, j] * T.float16(2.0)
# CHECK-NEXT: for k in T.serial(0, n, num_stages=0, versions={A_s: 2, B_s: 2}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK-NEXT: if k + 2 < n:
# CHECK: if k + 1 < n:
# CHECK: B_s[(k + 1) % 2, i, j] = A_s[(k + 1) % 2, i, j] * T.float16(2.0)
# CHECK-NEXT: T.gemm(B_s[k % 2, 0:64, 0:64], B_s[k % 2, 0:64, 0:64], C[0:64, 0:64])
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

# Explicit: what is copied and used in one step is waited for after the copy.
# CHECK-LABEL: def same_step(
# CHECK: T.wait_group(pending=1)
# CHECK-NEXT: if k + 1 < 8:
# CHECK-NEXT: T.copy(A[0:64, (k + 1) * 64:(k + 1) * 64 + 64], A_s[(k + 1) % 2, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.wait_group()
# CHECK-NEXT: T.gemm(A_s[k % 2, 0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def same_step(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
              O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    B_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=0, order=[0, 1, 2], stage=[0, 1, 1]):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.copy(B[0:64, k * 64:k * 64 + 64], B_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], B_s[0:64, 0:64], C[0:64, 0:64])
