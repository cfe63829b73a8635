# tilescope-ir 1
# ./dev lit tests/exec/uninitialised_read.py
# RUN: exits 1 tilescope exec %s | FileCheck %s
# RUN: sed -e '/# faulty$/d' -e 's/# mended: //' %s > %t.py && tilescope exec %t.py | FileCheck %s --check-prefix=MENDED
# MENDED: {{^}}elaborate runs

# Thread 63 reads what no thread writes.
# CHECK: {{^}}elaborate WRONG
# CHECK-NEXT: 'S' is read where nothing was written, by thread 63 of block 0 [uninitialised-read]
# CHECK-NEXT: line [[#@LINE+13]]: B[tx] = S[tx]
# CHECK-NOT: {{.}}

@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def uninitialised_read(
    A: T.Tensor((64,), "float32"),
    B: T.Tensor((64,), "float32", output=True),
):
    S = T.alloc_shared((64,), "float32", offset=0)
    with T.Kernel(1, threads=64) as (bx, tx):
        if tx < 63:  # faulty
        # mended: if tx < 64:
            S[tx] = A[tx]
        B[tx] = S[tx]
