# tilescope-ir 1
# ./dev lit tests/exec/race.py
# RUN: exits 1 tilescope exec %s | FileCheck %s
# RUN: sed -e '/# faulty$/d' -e 's/# mended: //' %s > %t.py && tilescope exec %t.py | FileCheck %s --check-prefix=MENDED
# MENDED: {{^}}elaborate runs

# What one warp writes another reads, without a barrier.
# CHECK: {{^}}elaborate WRONG
# CHECK-NEXT: 'S' is accessed by threads 0 and 32 without a barrier between, by thread 32 of block 0; 32 times [race]
# CHECK-NEXT: line [[#@LINE+13]]: B[tx] = S[tx % 32]
# CHECK-NEXT: and line [[#@LINE+10]]: S[tx] = A[tx]
# CHECK-NOT: {{.}}

@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def race(
    A: T.Tensor((64,), "float32"),
    B: T.Tensor((64,), "float32", output=True),
):
    S = T.alloc_shared((64,), "float32", offset=0)
    with T.Kernel(1, threads=64) as (bx, tx):
        S[tx] = A[tx]
        # mended: T.barrier()
        B[tx] = S[tx % 32]
