# tilescope-ir 1
# ./dev lit tests/passes/insert_barriers.py
# RUN: tilescope opt %s --passes insert-barriers | FileCheck %s
# RUN: tilescope opt %s --passes insert-barriers,insert-barriers | FileCheck %s

# Three versions: one barrier publishes what has arrived and frees the slot of the iteration before.
# CHECK-LABEL: properties=["lowered", "barriers-placed"]
# CHECK-LABEL: def pipelined(
# CHECK-NOT: T.barrier()
# CHECK: for k in
# CHECK-NEXT: T.wait_group(pending=1)
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: if k + 2 < n:
# CHECK-NOT: T.barrier()
@T.prim_func(properties=["lowered"])
def pipelined(
    A: T.Tensor((65536, 8), "float16"),
    n: T.int32,
):
    a = T.alloc_shared((128, 8), "float16", versions=3)
    r = T.alloc_local((8,), "float16")
    with T.Kernel(8, threads=128) as (bx, tx):
        if 0 < n:
            T.cp_async(A[tx, 0:8], a[0, tx, 0:8])
        T.commit_group()
        if 1 < n:
            T.cp_async(A[128 + tx, 0:8], a[1, tx, 0:8])
        T.commit_group()
        for k in T.serial(0, n):
            T.wait_group(pending=1)
            if k + 2 < n:
                T.cp_async(A[(k + 2) * 128 + tx, 0:8], a[(k + 2) % 3, tx, 0:8])
            T.commit_group()
            for step in T.unroll(0, 4):
                T.ldmatrix(a[k % 3, step * 32 + tx % 32, 0:8], r[0:8])

# One version: what is read must be there, and must be read before it is overwritten.
# CHECK-LABEL: def single(
# CHECK: for k in
# CHECK-NEXT: T.vector_copy(A[
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: T.vector_copy(a[
# CHECK-NEXT: T.barrier()
# CHECK-NOT: T.barrier()
@T.prim_func(properties=["lowered"])
def single(
    A: T.Tensor((65536, 8), "float16"),
):
    a = T.alloc_shared((128, 8), "float16")
    r = T.alloc_local((8,), "float16")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.serial(0, 16):
            T.vector_copy(A[k * 128 + tx, 0:8], a[tx, 0:8])
            T.vector_copy(a[(tx + 1) % 128, 0:8], r[0:8])

# A barrier that is there counts, and buffers of their own need none between them.
# CHECK-LABEL: def counted(
# CHECK: b[tx] = 1.0
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: A[bx, tx] = a[127 - tx]
# CHECK-NEXT: c[tx] = b[127 - tx]
# CHECK-NEXT: A[bx, tx] = c[tx]
@T.prim_func(properties=["lowered"])
def counted(
    A: T.Tensor((8, 128), "float32"),
):
    a = T.alloc_shared((128,), "float32")
    b = T.alloc_shared((128,), "float32")
    c = T.alloc_local((128,), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        a[tx] = 0.0
        b[tx] = 1.0
        T.barrier()
        A[bx, tx] = a[127 - tx]
        c[tx] = b[127 - tx]
        A[bx, tx] = c[tx]

# The arena is planned: sharing bytes is a reason too, and the barriers are final.
# CHECK-LABEL: properties=["lowered", "barriers-placed", "arena-planned", "barriers-final"]
# CHECK-LABEL: def sharing(
# CHECK: A[bx, tx] = a[tx]
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: b[tx] = 1.0
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: A[bx, tx] = b[127 - tx]
@T.prim_func(properties=["lowered", "barriers-placed", "arena-planned"])
def sharing(
    A: T.Tensor((8, 128), "float32"),
):
    a = T.alloc_shared((128,), "float32", offset=0)
    b = T.alloc_shared((128,), "float32", offset=256)
    with T.Kernel(8, threads=128) as (bx, tx):
        a[tx] = 0.0
        T.barrier()
        A[bx, tx] = a[tx]
        b[tx] = 1.0
        A[bx, tx] = b[127 - tx]

# No barrier may stand inside: half of the threads never get there.
# CHECK-LABEL: def divergent(
# CHECK: a[tx] = 0.0
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: if tx < 64:
# CHECK-NEXT: A[bx, tx] = a[127 - tx]
@T.prim_func(properties=["lowered"])
def divergent(
    A: T.Tensor((8, 128), "float32"),
):
    a = T.alloc_shared((128,), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        a[tx] = 0.0
        if tx < 64:
            A[bx, tx] = a[127 - tx]

# Each element has one thread throughout: nothing to wait for until others read.
# CHECK-LABEL: def in_place(
# CHECK: T.vector_copy(A[
# CHECK-NOT: T.barrier()
# CHECK: s[tx * 4 + j] = s[tx * 4 + j] * 2.0
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: A[bx, tx] = s[127 - tx]
# CHECK-NOT: T.barrier()
@T.prim_func(properties=["lowered"])
def in_place(
    A: T.Tensor((8, 128), "float32"),
):
    s = T.alloc_shared((128,), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        if tx < 32:
            T.vector_copy(A[bx, tx * 4:tx * 4 + 4], s[tx * 4:tx * 4 + 4])
        for k in T.serial(0, 8):
            if tx < 32:
                for j in T.unroll(0, 4):
                    s[tx * 4 + j] = s[tx * 4 + j] * 2.0
        A[bx, tx] = s[127 - tx]
