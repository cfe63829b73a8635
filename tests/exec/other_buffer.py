# tilescope-ir 1
# ./dev lit tests/exec/other_buffer.py
# RUN: exits 1 tilescope exec %s | FileCheck %s
# RUN: sed -e '/# faulty$/d' -e 's/# mended: //' %s > %t.py && tilescope exec %t.py | FileCheck %s --check-prefix=MENDED
# MENDED: {{^}}elaborate runs

# U has the bytes of S while what is in S is still to be read.
# CHECK: {{^}}elaborate WRONG
# CHECK-NEXT: bytes of 'S' are read that were written through 'U', by thread 0 of block 0; 64 times [other-buffer]
# CHECK-NEXT: line [[#@LINE+17]]: B[tx] = S[tx] + U[tx]
# CHECK-NEXT: and line [[#@LINE+14]]: U[tx] = 1.0
# CHECK-NOT: {{.}}

@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def other_buffer(
    A: T.Tensor((64,), "float32"),
    B: T.Tensor((64,), "float32", output=True),
):
    S = T.alloc_shared((64,), "float32", offset=0)
    U = T.alloc_shared((64,), "float32", offset=0)  # faulty
    # mended: U = T.alloc_shared((64,), "float32", offset=256)
    with T.Kernel(1, threads=64) as (bx, tx):
        S[tx] = A[tx]
        T.barrier()
        U[tx] = 1.0
        T.barrier()
        B[tx] = S[tx] + U[tx]
