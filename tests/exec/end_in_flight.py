# tilescope-ir 1
# ./dev lit tests/exec/end_in_flight.py
# RUN: exits 1 tilescope exec %s | FileCheck %s
# RUN: sed -e '/# faulty$/d' -e 's/# mended: //' %s > %t.py && tilescope exec %t.py | FileCheck %s --check-prefix=MENDED
# MENDED: {{^}}elaborate runs

# Of two copies the first one is waited for, and the second one is in no group.
# CHECK: {{^}}elaborate WRONG
# CHECK-NEXT: the copy into 'U' is in flight when its thread ends, by thread 0 of block 0; 64 times [end-in-flight]
# CHECK-NEXT: line [[#@LINE+13]]: T.cp_async(A[tx:tx + 1], U[tx:tx + 1], bytes=4)
# CHECK-NOT: {{.}}

@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def end_in_flight(
    A: T.Tensor((64,), "float32"),
    B: T.Tensor((64,), "float32", output=True),
):
    S = T.alloc_shared((64,), "float32", offset=0)
    U = T.alloc_shared((64,), "float32", offset=256)
    with T.Kernel(1, threads=64) as (bx, tx):
        T.cp_async(A[tx:tx + 1], S[tx:tx + 1], bytes=4)
        T.commit_group()
        T.cp_async(A[tx:tx + 1], U[tx:tx + 1], bytes=4)
        # mended: T.commit_group()
        T.wait_group(pending=0)
        B[tx] = S[tx]
