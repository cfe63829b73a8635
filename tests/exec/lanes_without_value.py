# tilescope-ir 1
# ./dev lit tests/exec/lanes_without_value.py
# RUN: exits 1 tilescope exec %s | FileCheck %s
# RUN: sed -e 's/T.uint32(255)/T.uint32(65535)/' %s > %t.py && tilescope exec %t.py | FileCheck %s --check-prefix=MENDED
# MENDED: {{^}}elaborate runs

# The mask names eight lanes, but sixteen get there.
# CHECK: {{^}}elaborate WRONG
# CHECK: 16 threads of a warp do what all must do, by thread 0 of block 0; 2 times [divergent-operation]
@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def lanes_without_value(
    A: T.Tensor((64,), "float32"),
    B: T.Tensor((64,), "float32", output=True),
):
    other = T.alloc_local((1,), "float32")
    with T.Kernel(1, threads=64) as (bx, tx):
        other[0] = 0.0
        if tx % 32 < 16:
            T.shuffle(other[0], A[tx], 1, mask=T.uint32(255), kind="xor")
        B[tx] = other[0]
