# tilescope-ir 1
# ./dev lit tests/passes/insert_barriers_own_copies.py
# RUN: tilescope opt %s --passes insert-barriers | FileCheck %s

# Each thread reads what it copied itself: its wait is enough.
# CHECK-LABEL: def own(
# CHECK-NOT: T.barrier()
# CHECK: C[
@T.prim_func(properties=["lowered"])
def own(
    A: T.Tensor((4096,), "float32"),
    C: T.Tensor((4096,), "float32"),
):
    s = T.alloc_shared((128,), "float32", versions=2)
    with T.Kernel(1, threads=32) as (bx, tx):
        T.cp_async(A[tx * 4:tx * 4 + 4], s[0, tx * 4:tx * 4 + 4])
        T.commit_group()
        for k in T.serial(0, 32):
            if k + 1 < 32:
                T.cp_async(A[(k + 1) * 128 + tx * 4:(k + 1) * 128 + tx * 4 + 4], s[(k + 1) % 2, tx * 4:tx * 4 + 4])
            T.commit_group()
            T.wait_group(pending=1)
            for v in T.unroll(0, 4):
                C[k * 128 + tx * 4 + v] = s[k % 2, tx * 4 + v]

# Another thread's element needs one.
# CHECK-LABEL: def of_others(
# CHECK: T.wait_group()
# CHECK-NEXT: T.barrier()
# CHECK-NEXT: C[tx]
@T.prim_func(properties=["lowered"])
def of_others(
    A: T.Tensor((128,), "float32"),
    C: T.Tensor((32,), "float32"),
):
    s = T.alloc_shared((128,), "float32")
    with T.Kernel(1, threads=32) as (bx, tx):
        T.cp_async(A[tx * 4:tx * 4 + 4], s[tx * 4:tx * 4 + 4])
        T.commit_group()
        T.wait_group()
        C[tx] = s[127 - tx * 4]
