# tilescope-ir 1
# ./dev lit tests/passes/insert_barriers_global.py
# RUN: tilescope opt %s --passes insert-barriers | FileCheck %s

# What other threads wrote to global memory is read after a barrier, too.
# CHECK-LABEL: def handed_over(
# CHECK: W[tx] = A[tx]
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: B[tx] = W[127 - tx]
# CHECK-NOT: T.barrier()
@T.prim_func(properties=["lowered"])
def handed_over(
    A: T.Tensor((128,), "float32"),
    W: T.Tensor((128,), "float32"),
    B: T.Tensor((128,), "float32"),
):
    with T.Kernel(1, threads=128) as (bx, tx):
        W[tx] = A[tx]
        B[tx] = W[127 - tx]

# Each element has one thread, whatever the block, the tile and the sizes.
# CHECK-LABEL: def own_elements(
# CHECK-NOT: T.barrier()
@T.prim_func(properties=["lowered"])
def own_elements(
    A: T.Tensor((m, n), "float32"),
    W: T.Tensor((m, n), "float32"),
    tiles: T.int32,
    m: T.int32,
    n: T.int32,
):
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.serial(0, tiles):
            for i in T.unroll(0, 4):
                if bx * 16 + i * 4 + tx // 32 < m:
                    W[bx * 16 + i * 4 + tx // 32, k * 32 + tx % 32] = A[bx, k]
            for i in T.unroll(0, 4):
                W[bx * 16 + i * 4 + tx // 32, k * 32 + tx % 32] = W[bx * 16 + i * 4 + tx // 32, k * 32 + tx % 32] + 1.0
        W[bx * 16 + tx // 32, tx % 32] = W[bx * 16 + tx // 32, tx % 32] * 2.0

# Rows apart: nobody touches what another does. Atomics need no order among themselves.
# CHECK-LABEL: def apart(
# CHECK-NOT: T.barrier()
@T.prim_func(properties=["lowered"])
def apart(
    W: T.Tensor((64, 128), "float32"),
    H: T.Tensor((128,), "float32"),
):
    with T.Kernel(8, threads=128) as (bx, tx):
        W[bx, tx] = 1.0
        W[bx + 8, 127 - tx] = W[bx + 16, tx]
        T.atomic_element(H[tx], 1.0)
        T.atomic_element(H[127 - tx], 1.0)

# The tile moves by less than its width: who wrote an element last depends on the order.
# CHECK-LABEL: def moving(
# CHECK: for k in
# CHECK-NEXT: W[k + tx] = A[tx]
# CHECK-NEXT: T.barrier()
@T.prim_func(properties=["lowered"])
def moving(
    A: T.Tensor((128,), "float32"),
    W: T.Tensor((256,), "float32"),
):
    with T.Kernel(1, threads=128) as (bx, tx):
        for k in T.serial(0, 8):
            W[k + tx] = A[tx]

# A copy that reads global memory on its own reads what was there before.
# CHECK-LABEL: def copied(
# CHECK: W[tx] = 1.0
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: if tx < 32:
# CHECK-NEXT: T.cp_async(
# CHECK: T.wait_group(
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: B[tx] = s[127 - tx]
@T.prim_func(properties=["lowered"])
def copied(
    W: T.Tensor((128,), "float32"),
    B: T.Tensor((128,), "float32"),
):
    s = T.alloc_shared((128,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        W[tx] = 1.0
        if tx < 32:
            T.cp_async(W[tx * 4:tx * 4 + 4], s[tx * 4:tx * 4 + 4])
        T.commit_group()
        T.wait_group(pending=0)
        B[tx] = s[127 - tx]

# A condition that all threads agree on reads shared memory, too.
# CHECK-LABEL: def condition(
# CHECK: s[tx] = A[tx]
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: if s[5] > 0.0:
@T.prim_func(properties=["lowered"])
def condition(
    A: T.Tensor((128,), "float32"),
    B: T.Tensor((128,), "float32"),
):
    s = T.alloc_shared((128,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        s[tx] = A[tx]
        if s[5] > 0.0:
            B[tx] = 1.0
