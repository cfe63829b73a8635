# tilescope-ir 1
# ./dev lit tests/exec/divergent_operation.py
# RUN: exits 1 tilescope exec %s | FileCheck %s
# RUN: sed -e '/# faulty$/d' -e 's/# mended: //' %s > %t.py && tilescope exec %t.py | FileCheck %s --check-prefix=MENDED
# MENDED: {{^}}elaborate runs

# All threads of a warp must take part in a shuffle.
# CHECK: {{^}}elaborate WRONG
# CHECK-NEXT: 16 threads of a warp do what all must do, by thread 0 of block 0 [divergent-operation]
# CHECK-NEXT: line [[#@LINE+15]]: T.shuffle(other[0:1], r[0], 1, kind="xor")
# CHECK-NOT: {{.}}

@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def divergent_operation(
    A: T.Tensor((64,), "float32"),
    B: T.Tensor((64,), "float32", output=True),
):
    r = T.alloc_local((1,), "float32")
    other = T.alloc_local((1,), "float32")
    with T.Kernel(1, threads=64) as (bx, tx):
        r[0] = A[tx]
        other[0] = 0.0
        if tx < 16:  # faulty
        # mended: if tx < 32:
            T.shuffle(other[0:1], r[0], 1, kind="xor")
        B[tx] = other[0]
