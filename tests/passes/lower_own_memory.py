# tilescope-ir 1
# ./dev lit tests/passes/lower_own_memory.py
# RUN: tilescope opt %s --passes infer-layouts,lower-tile-ops | FileCheck %s

# Registers that each thread has to itself are filled, copied and computed by every thread, whole.
# CHECK-LABEL: def own_registers(
# CHECK-NOT: if tx
# CHECK: for col in T.unroll(0, 4):
# CHECK-NEXT: a[col] = 0.0
# CHECK: for col in T.unroll(0, 4):
# CHECK-NEXT: b[col] = a[col]
# CHECK: for i in T.unroll(0, 4):
# CHECK-NEXT: b[i] = b[i] + X[bx, tx * 4 + i]
# CHECK: for col in T.unroll(0, 4):
# CHECK-NEXT: X[bx, tx * 4 + col] = b[col]
@T.prim_func(properties=["tile", "pipelined"])
def own_registers(
    X: T.Tensor((8, 512), "float32"),
):
    a = T.alloc_local((4,), "float32")
    b = T.alloc_local((4,), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        T.fill(a[0:4], 0.0)
        T.copy(a[0:4], b[0:4])
        for i in T.Parallel(4):
            b[i] = b[i] + X[bx, tx * 4 + i]
        T.copy(b[0:4], X[bx, tx * 4:tx * 4 + 4])

# A register as a value of one iteration: the loop is shared out.
# CHECK-LABEL: def scratch_of_iterations(
# CHECK: i: T.int32 = tx
# CHECK: a[0] = X[bx, i]
# CHECK-NEXT: X[bx, i] = a[0] * a[0]
@T.prim_func(properties=["tile", "pipelined"])
def scratch_of_iterations(
    X: T.Tensor((8, 128), "float32"),
):
    a = T.alloc_local((1,), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for i in T.Parallel(128):
            a[0] = X[bx, i]
            X[bx, i] = a[0] * a[0]

# An index that was loaded is not loaded again where it chooses a register.
# CHECK-LABEL: def loaded_index(
# CHECK: j: T.int32 = P[i_1]
# CHECK-NEXT: P[i_1] = 0
# CHECK-NEXT: B[i_1] = f[j]
@T.prim_func(properties=["tile", "pipelined"])
def loaded_index(
    A: T.Tensor((4, 128), "float32"),
    P: T.Tensor((128,), "int32"),
    B: T.Tensor((128,), "float32"),
):
    f = T.alloc_fragment((4, 128), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for i in T.Parallel(128):
            for k in T.serial(0, 4):
                f[k, i] = A[k, i]
        for i in T.Parallel(128):
            j: T.int32 = P[i]
            P[i] = 0
            B[i] = f[j, i]
