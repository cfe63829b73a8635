# tilescope-ir 1
# ./dev lit tests/exec/out_of_bounds.py
# RUN: exits 1 tilescope exec %s | FileCheck %s
# RUN: sed -e '/# faulty$/d' -e 's/# mended: //' %s > %t.py && tilescope exec %t.py | FileCheck %s --check-prefix=MENDED
# MENDED: {{^}}elaborate runs

# The last thread reads behind the buffer.
# CHECK: {{^}}elaborate WRONG
# CHECK-NEXT: 'S' is accessed at [64], outside of its shape, by thread 63 of block 0 [out-of-bounds]
# CHECK-NEXT: line [[#@LINE+14]]: B[tx] = S[tx + 1]
# CHECK-NOT: {{.}}

@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def out_of_bounds(
    A: T.Tensor((64,), "float32"),
    B: T.Tensor((64,), "float32", output=True),
):
    S = T.alloc_shared((64,), "float32", offset=0)
    with T.Kernel(1, threads=64) as (bx, tx):
        S[tx] = A[tx]
        T.barrier()
        if tx < 64:  # faulty
        # mended: if tx < 63:
            B[tx] = S[tx + 1]
