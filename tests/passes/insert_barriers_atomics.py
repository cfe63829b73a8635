# tilescope-ir 1
# ./dev lit tests/passes/insert_barriers_atomics.py
# RUN: tilescope opt %s --passes insert-barriers | FileCheck %s

# The value that is added is read like any other: the histogram must be complete before its flush.
# CHECK-LABEL: def histogram(
# CHECK: h[tx] = 0
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: T.atomic_element(h[A[tx] % 128], 1)
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: T.atomic_element(H[tx], h[tx])
@T.prim_func(properties=["lowered"])
def histogram(
    A: T.Tensor((128,), "int32"),
    H: T.Tensor((128,), "int32"),
):
    h = T.alloc_shared((128,), "int32")
    with T.Kernel(1, threads=128) as (bx, tx):
        h[tx] = 0
        T.atomic_element(h[A[tx] % 128], 1)
        T.atomic_element(H[tx], h[tx])

# Destination of one, value of the next, and the other way round; two updates need no barrier.
# CHECK-LABEL: def both_ways(
# CHECK: t[tx] = 0.0
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: T.atomic_element(t[tx * 7 % 128], s[127 - tx])
# CHECK-NEXT: T.atomic_element(t[tx * 5 % 128], s[127 - tx])
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: T.atomic_element(s[tx], t[127 - tx])
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: C[tx] = s[127 - tx]
@T.prim_func(properties=["lowered"])
def both_ways(
    A: T.Tensor((128,), "float32"),
    C: T.Tensor((128,), "float32"),
):
    s = T.alloc_shared((128,), "float32")
    t = T.alloc_shared((128,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        s[tx] = A[tx]
        t[tx] = 0.0
        T.atomic_element(t[tx * 7 % 128], s[127 - tx])
        T.atomic_element(t[tx * 5 % 128], s[127 - tx])
        T.atomic_element(s[tx], t[127 - tx])
        C[tx] = s[127 - tx]
