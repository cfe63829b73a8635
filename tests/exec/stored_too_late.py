# tilescope-ir 1
# ./dev lit tests/exec/stored_too_late.py
# RUN: exits 1 tilescope exec --target sm_90a %s | FileCheck %s
# RUN: sed 's/# mended: //' %s > %t.py && tilescope exec --target sm_90a %t.py | FileCheck %s --check-prefix=MENDED
# RUN: tilescope check --target sm_90a --passes '' %t.py
# MENDED: {{^}}elaborate runs

# The tile is written again while a box of it may still be read.
# CHECK: {{^}}elaborate WRONG
# CHECK: 'c' is accessed through the asynchronous proxy
@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def stored_too_late(
    C: T.Tensor((16, 64), "float16", output=True),
):
    c = T.alloc_shared((8, 64), "float16", layout="aligned_swizzle(128)", offset=0)
    with T.Kernel(1, threads=64) as (bx, tx):
        for k in T.serial(0, 2):
            for row in T.unroll(0, 8):
                c[row, tx] = T.cast(row + k, "float16")
            T.proxy_fence()
            T.barrier()
            T.tma_store(c[0:8, 0:64], C[k * 8:k * 8 + 8, 0:64])
            T.tma_store_commit()
            # mended: T.tma_store_wait(pending=0)
            T.barrier()
        T.tma_store_wait(pending=0)
