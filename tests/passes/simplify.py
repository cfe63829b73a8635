# tilescope-ir 1
# ./dev lit tests/passes/simplify.py
# RUN: tilescope opt --passes simplify %s | FileCheck %s
# RUN: tilescope opt --passes simplify --tagged %s | FileCheck %s --check-prefix=SPAN

# Index arithmetic is shortened where bounds decide; what is not shorter stays as written.
# CHECK-LABEL: def indices(
# CHECK: B[tx // 8, v] = A[by * 128 + tx]
# CHECK-NEXT: B[tx, v] = A[v + by * 128]
# CHECK-NEXT: B[tx // 4, tx % 4] = A[by * 128 + tx - v]
# CHECK-NEXT: B[tx % 32 // 8, 0] = A[tx]
@T.prim_func(properties=["lowered"])
def indices(
    A: T.Tensor((4096,), "float32"),
    B: T.Tensor((128, 8), "float32"),
):
    with T.Kernel(32, threads=128) as (by, tx):
        for v in T.serial(0, 8):
            B[(tx * 8 + v) // 64, (tx * 8 + v) % 8] = A[(by * 128 + tx) % 4096]
            B[tx // 4 * 4 + tx % 4, v + 0] = A[v + by * 128]
            B[tx // 4, tx % 4] = A[by * 128 + tx + 8 - (v + 8)]
            B[tx % 32 // 8, tx - tx] = A[tx]

# A remainder of fewer terms is plainer, even if it is as long: what is added steps along a row.
# CHECK-LABEL: def remainders(
# CHECK: B[0, 0] = A[k % 2 * 64 + j]
# CHECK-NEXT: B[0, 1] = A[(k * 64 + j + 1) % 128]
# CHECK-NEXT: B[0, 2] = A[(k * 64 + tx) % 128]
@T.prim_func(properties=["lowered"])
def remainders(
    A: T.Tensor((4096,), "float32"),
    B: T.Tensor((128, 8), "float32"),
):
    with T.Kernel(32, threads=128) as (by, tx):
        for k in T.serial(0, 18):
            for j in T.serial(0, 64):
                B[0, 0] = A[(k * 64 + j) % 128]
                B[0, 1] = A[(k * 64 + j + 1) % 128]
                B[0, 2] = A[(k * 64 + tx) % 128]

# A loop over K // 32 has its last element below K.
# CHECK-LABEL: def conditions(
# CHECK: for ko in
# CHECK-NEXT: for i in
# CHECK-NEXT: A_local[0] = A[ko * 32 + i]
# CHECK-NEXT: if tx < 5:
# CHECK-NEXT: A_local[0] = A_local[0] * 2.0
# CHECK-NEXT: A_local[0] = 3.0
# CHECK-NEXT: if tx >= 4:
# CHECK-NEXT: A_local[0] = 4.0
# CHECK-NOT: A_local
@T.prim_func(properties=["lowered"])
def conditions(
    A: T.Tensor((K,), "float32"),
    K: T.int32,
):
    A_local = T.alloc_local((1,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for ko in T.serial(0, K // 32):
            for i in T.serial(0, 32):
                A_local[0] = A[ko * 32 + i] if ko * 32 + i < K else T.float32(0.0)
                if tx < 5 and tx < 9:
                    A_local[0] = A_local[0] * T.float32(2.0)
                if i < 32:
                    A_local[0] = T.float32(3.0)
                else:
                    A_local[0] = T.float32(5.0)
                if tx < 4:
                    pass
                else:
                    A_local[0] = T.float32(4.0)
                if tx < 4:
                    pass

# A loop without iterations goes, one with a single iteration is inlined.
# CHECK-LABEL: def loops(
# CHECK: with T.Kernel
# CHECK-NEXT: A[3 + tx] = 1.0
# CHECK-NEXT: for k in T.Pipelined(0, 1, num_stages=2):
# CHECK-NEXT: A[k] = 3.0
# CHECK-NOT: A[
@T.prim_func(properties=["tile"])
def loops(
    A: T.Tensor((131,), "float32"),
):
    with T.Kernel(1, threads=128) as (bx, tx):
        for i in T.serial(3, 4):
            # SPAN: A[3 + tx] = 1.0 #@ s{{[0-9]+}} span=[[# @LINE + 1]]:13
            A[i + tx] = T.float32(1.0)
        for j in T.serial(2, 2):
            A[j] = T.float32(2.0)
        for k in T.Pipelined(0, 1, num_stages=2):
            A[k] = T.float32(3.0)
        for n in T.serial(0, 4):
            if False:
                A[n] = T.float32(4.0)

# Floats keep their bits: neither x + 0 nor x * 0 is folded.
# CHECK-LABEL: def floats(
# CHECK: A[tx] = A[tx] + 0.0
# CHECK-NEXT: A[tx] = A[tx] * 0.0
# CHECK-NEXT: A[tx] = A[tx]
# CHECK-NEXT: A[tx] = 6.0
@T.prim_func(properties=["lowered"])
def floats(
    A: T.Tensor((128,), "float32"),
):
    with T.Kernel(1, threads=128) as (bx, tx):
        A[tx] = A[tx] + T.float32(0.0)
        A[tx] = A[tx] * T.float32(0.0)
        A[tx] = A[tx] * T.float32(1.0)
        A[tx] = T.float32(2.0) * T.float32(3.0)

# A value loaded from memory that the kernel writes may change between statements.
# CHECK-LABEL: def stored_conditions(
# CHECK: if count[0] < 4:
# CHECK-NEXT: count[0] = 9
# CHECK-NEXT: if count[0] < 4:
@T.prim_func(properties=["lowered"])
def stored_conditions(
    A: T.Tensor((128,), "float32"),
):
    count = T.alloc_local((1,), "int32")
    with T.Kernel(1, threads=128) as (bx, tx):
        if count[0] < 4:
            count[0] = 9
            if count[0] < 4:
                A[tx] = T.float32(1.0)


# A name of a constant is the constant; what nobody reads goes, with what only it read; what was loaded stays.
# CHECK-LABEL: def names(
# CHECK: with T.Kernel(
# CHECK-NEXT: loaded: T.float32 = A[tx]
# CHECK-NEXT: row: T.int32 = tx * 2
# CHECK-NEXT: A[row] = 5.0
@T.prim_func(properties=["lowered"])
def names(
    A: T.Tensor((128,), "float32"),
):
    with T.Kernel(1, threads=64) as (bx, tx):
        two: T.int32 = 1 + 1
        first: T.int32 = tx * 3
        second: T.int32 = first + 1
        loaded: T.float32 = A[tx]
        row: T.int32 = tx * two
        A[row] = T.float32(5.0)

# A shift that loses bits is no product.
# CHECK-LABEL: def shifts(
# CHECK: B[tx, 0] = tx
# CHECK-NEXT: B[tx, 1] = tx << 28 >> 28
# CHECK-NEXT: B[tx, 2] = tx - 40
# CHECK-NEXT: B[tx, 3] = A[tx] << 4 >> 4
@T.prim_func(properties=["lowered"])
def shifts(
    A: T.Tensor((128,), "int32"),
    B: T.Tensor((128, 4), "int32"),
):
    with T.Kernel(1, threads=128) as (bx, tx):
        B[tx, 0] = tx << 3 >> 3
        B[tx, 1] = tx << 28 >> 28
        B[tx, 2] = (tx - 40 << 2) // 4
        B[tx, 3] = A[tx] << 4 >> 4
