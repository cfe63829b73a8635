# tilescope-ir 1
# ./dev lit tests/exec/missed_barrier.py
# RUN: exits 1 tilescope exec %s | FileCheck %s
# RUN: sed -e '/# faulty$/d' -e 's/# mended: //' %s > %t.py && tilescope exec %t.py | FileCheck %s --check-prefix=MENDED
# MENDED: {{^}}elaborate runs

# The second warp ends where the first waits for it.
# CHECK: {{^}}elaborate WRONG
# CHECK-NEXT: threads wait here for others that do not come, by thread 0 of block 0 [missed-barrier]
# CHECK-NEXT: line [[#@LINE+12]]: T.barrier()  # faulty
# CHECK-NOT: {{.}}

@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def missed_barrier(
    A: T.Tensor((64,), "float32"),
    B: T.Tensor((64,), "float32", output=True),
):
    S = T.alloc_shared((64,), "float32", offset=0)
    with T.Kernel(1, threads=64) as (bx, tx):
        S[tx] = A[tx]
        if tx < 32:  # faulty
            T.barrier()  # faulty
        # mended: T.barrier()
        B[tx] = S[tx]
