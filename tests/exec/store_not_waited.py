# tilescope-ir 1
# ./dev lit tests/exec/store_not_waited.py
# RUN: exits 1 tilescope exec --target sm_90a %s | FileCheck %s
# RUN: sed 's/# mended: //' %s > %t.py && tilescope exec --target sm_90a %t.py | FileCheck %s --check-prefix=MENDED
# MENDED: {{^}}elaborate runs

# The block may end, and its shared memory be another's, before the box has been read.
# CHECK: {{^}}elaborate WRONG
# CHECK: the copy into 'C' is in flight when its thread ends, by thread 0 of block 0 [end-in-flight]
# CHECK-NEXT: T.tma_store(c[0:8, 0:64], C[0:8, 0:64])
@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def store_not_waited(
    C: T.Tensor((8, 64), "float16", output=True),
):
    c = T.alloc_shared((8, 64), "float16", layout="aligned_swizzle(128)", offset=0)
    with T.Kernel(1, threads=64) as (bx, tx):
        for row in T.unroll(0, 8):
            c[row, tx] = T.cast(row, "float16")
        T.proxy_fence()
        T.barrier()
        T.tma_store(c[0:8, 0:64], C[0:8, 0:64])
        T.tma_store_commit()
        # mended: T.tma_store_wait(pending=0)
