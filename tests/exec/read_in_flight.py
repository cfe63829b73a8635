# tilescope-ir 1
# ./dev lit tests/exec/read_in_flight.py
# RUN: exits 1 tilescope exec %s | FileCheck %s
# RUN: sed -e '/# faulty$/d' -e 's/# mended: //' %s > %t.py && tilescope exec %t.py | FileCheck %s --check-prefix=MENDED
# MENDED: {{^}}elaborate runs

# The group of the copy is the one that may still be pending.
# CHECK: {{^}}elaborate WRONG
# CHECK-NEXT: 'S' is read before the copy into it has been waited for, by thread 0 of block 0; 64 times [read-in-flight]
# CHECK-NEXT: line [[#@LINE+18]]: B[tx] = S[tx]
# CHECK-NEXT: and line [[#@LINE+12]]: T.cp_async(A[tx:tx + 1], S[tx:tx + 1], bytes=4)
# CHECK-NEXT: the copy into 'S' is in flight when its thread ends, {{.*}} [end-in-flight]
# CHECK-NEXT: line [[#@LINE+10]]: T.cp_async(A[tx:tx + 1], S[tx:tx + 1], bytes=4)
# CHECK-NOT: {{.}}

@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def read_in_flight(
    A: T.Tensor((64,), "float32"),
    B: T.Tensor((64,), "float32", output=True),
):
    S = T.alloc_shared((64,), "float32", offset=0)
    with T.Kernel(1, threads=64) as (bx, tx):
        T.cp_async(A[tx:tx + 1], S[tx:tx + 1], bytes=4)
        T.commit_group()
        T.wait_group(pending=1)  # faulty
        # mended: T.wait_group(pending=0)
        T.barrier()
        B[tx] = S[tx]
