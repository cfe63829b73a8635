# tilescope-ir 1
# ./dev lit tests/passes/merge_shared_memory.py
# RUN: tilescope opt %s --passes merge-shared-memory | FileCheck %s
# RUN: tilescope opt %s --passes merge-shared-memory,insert-barriers,merge-shared-memory | FileCheck %s

#     a  |####|
#     b   |####|          b is live with both; c takes the bytes of a
#     c       |###|
# CHECK-LABEL: properties=["lowered", "barriers-placed", "arena-planned"
# CHECK-LABEL: def chain(
# CHECK: a = T.alloc_shared((128,), "float32", offset=0)
# CHECK: b = T.alloc_shared((128,), "float32", offset=512)
# CHECK: c = T.alloc_shared((128,), "float32", offset=0)
@T.prim_func(properties=["lowered", "barriers-placed"])
def chain(
    A: T.Tensor((8, 128), "float32"),
):
    a = T.alloc_shared((128,), "float32")
    b = T.alloc_shared((128,), "float32")
    c = T.alloc_shared((128,), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        a[tx] = 0.0
        T.barrier()
        b[tx] = a[127 - tx]
        T.barrier()
        c[tx] = b[127 - tx]
        T.barrier()
        A[bx, tx] = c[127 - tx]

# Versions are one block; a buffer that nobody touches takes no bytes; static memory is not ours.
# CHECK-LABEL: def versions(
# CHECK: a = T.alloc_shared((128, 8), "float16", versions=3, offset=0)
# CHECK: unused = T.alloc_shared((4096,), "float32", offset=0)
# CHECK: b = T.alloc_shared((128, 8), "float16", offset=6144)
# CHECK: fixed = T.alloc_shared_static((128,), "float32")
@T.prim_func(properties=["lowered", "barriers-placed"])
def versions(
    A: T.Tensor((65536, 8), "float16"),
):
    a = T.alloc_shared((128, 8), "float16", versions=3)
    unused = T.alloc_shared((4096,), "float32")
    b = T.alloc_shared((128, 8), "float16")
    fixed = T.alloc_shared_static((128,), "float32")
    r = T.alloc_local((8,), "float16")
    with T.Kernel(8, threads=128) as (bx, tx):
        fixed[tx] = 0.0
        T.vector_copy(A[tx, 0:8], b[tx, 0:8])
        T.cp_async(A[tx, 0:8], a[0, tx, 0:8])
        T.commit_group()
        T.cp_async(A[128 + tx, 0:8], a[1, tx, 0:8])
        T.commit_group()
        for k in T.serial(0, 64):
            T.wait_group(pending=1)
            T.barrier()
            if k + 2 < 64:
                T.cp_async(A[(k + 2) * 128 + tx, 0:8], a[(k + 2) % 3, tx, 0:8])
            T.commit_group()
            for step in T.unroll(0, 4):
                T.ldmatrix(a[k % 3, step * 32 + tx % 32, 0:8], r[0:8])
            T.ldmatrix(b[tx % 32, 0:8], r[0:8])

# A condition that may fail keeps the old value: x lives until its last read, so y cannot share.
# CHECK-LABEL: def conditional(
# CHECK: x = T.alloc_shared((128,), "float32", offset=0)
# CHECK: y = T.alloc_shared((128,), "float32", offset=512)
@T.prim_func(properties=["lowered", "barriers-placed"])
def conditional(
    A: T.Tensor((8, 128), "float32"),
    n: T.int32,
):
    x = T.alloc_shared((128,), "float32")
    y = T.alloc_shared((128,), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        x[tx] = 0.0
        y[tx] = 1.0
        T.barrier()
        A[bx, tx] = y[127 - tx]
        if n < 7:
            x[tx] = 2.0
        T.barrier()
        A[bx, tx] = x[127 - tx]
