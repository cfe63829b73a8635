# tilescope-ir 1
# ./dev lit tests/exec/reduce_not_fenced.py
# RUN: exits 1 tilescope exec --target sm_90a %s | FileCheck %s
# RUN: exits 1 tilescope check --target sm_90a --passes '' %s 2>&1 | FileCheck %s --check-prefix=FENCE
# RUN: sed 's/# mended: //' %s > %t.py && tilescope exec --target sm_90a %t.py | FileCheck %s --check-prefix=MENDED
# RUN: tilescope check --target sm_90a --passes '' %t.py
# MENDED: {{^}}elaborate runs

# FENCE: free of hazards  no
# FENCE: line 26: 'c' is accessed through the asynchronous proxy, and no fence orders that and the access of 'c' [MemoryHazard]

# What threads wrote is not yet seen by the other proxy, which adds it; nor may they write it again while that reads.
# CHECK: {{^}}elaborate WRONG
# CHECK: 'c' is accessed through the asynchronous proxy, and no proxy fence follows its write{{.*}}[not-fenced]
@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def reduce_not_fenced(
    C: T.Tensor((8, 32), "float32"),
):
    c = T.alloc_shared((8, 32), "float32", layout="aligned_swizzle(128)", offset=0)
    with T.Kernel(2, threads=32) as (bx, tx):
        for k in T.serial(0, 2):
            for row in T.unroll(0, 8):
                c[row, tx] = T.cast(row + k, "float32")
            # mended: T.proxy_fence()
            T.barrier()
            T.tma_reduce(c[0:8, 0:32], C[0:8, 0:32])
            T.tma_store_commit()
            # mended: T.tma_store_wait(pending=0)
            T.barrier()
        T.tma_store_wait(pending=0)
