# tilescope-ir 1
# ./dev lit tests/exec/named_barriers.py
# RUN: exits 1 tilescope exec %s | FileCheck %s
# RUN: sed -e '/# faulty$/d' -e 's/# mended: //' %s > %t.py && tilescope exec %t.py | FileCheck %s --check-prefix=MENDED
# MENDED: {{^}}elaborate runs

# 32 threads wait for 64. A warp hands over what it has written, and goes on writing to some of it.
# CHECK: {{^}}elaborate WRONG
# CHECK-DAG: threads wait here for others that do not come, by thread 0 of block 0 [missed-barrier]
# CHECK-DAG: 'late' is accessed by threads 95 and 96 without a barrier between, by thread 96 of block 0; 32 times [race]
# CHECK-NOT: early

@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def named_barriers(B: T.Tensor((128,), "float32", output=True)):
    early = T.alloc_shared((32,), "float32", offset=0)
    late = T.alloc_shared((32,), "float32", offset=128)
    with T.Kernel(1, threads=128) as (bx, tx):
        B[tx] = 0.0
        if tx < 32:  # faulty
            T.named_barrier(number=1, threads=64)  # faulty
        if tx >= 64:
            if tx < 96:
                early[tx - 64] = 1.0
                late[tx - 64] = 1.0
                T.named_barrier(number=2, threads=64, waits=False)
                late[tx - 64] = 2.0  # faulty
            else:
                T.named_barrier(number=2, threads=64)
                B[tx] = early[127 - tx] + late[127 - tx]
