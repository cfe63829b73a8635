# tilescope-ir 1
# ./dev lit tests/exec/endless_wait.py
# RUN: exits 1 tilescope exec --target sm_90a %s | FileCheck %s
# RUN: sed -e '/# faulty$/d' -e 's/# mended: //' %s > %t.py && tilescope exec --target sm_90a %t.py | FileCheck %s --check-prefix=MENDED
# MENDED: {{^}}elaborate runs

# More bytes are expected than are copied, so that the phase does not end; it is arrived at a second time all the same.
# CHECK: {{^}}elaborate WRONG
# CHECK: threads arrive at 'full' more often than its phase takes{{.*}}[phase-overrun]
# CHECK: threads wait here for a phase that does not end{{.*}}[endless-wait]
@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def endless_wait(
    A: T.Tensor((8, 64), "float16"),
    C: T.Tensor((64,), "float16", output=True),
):
    a = T.alloc_shared((8, 64), "float16", layout="aligned_swizzle(128)", offset=0)
    full = T.alloc_shared((1,), "uint64", offset=1024)
    with T.Kernel(1, threads=64) as (bx, tx):
        T.mbarrier_init(full[0])
        T.barrier()
        T.mbarrier_arrive_expect(full[0], bytes=1040) # faulty
        T.mbarrier_arrive_expect(full[0], bytes=1040) # faulty
        # mended: T.mbarrier_arrive_expect(full[0], bytes=1024)
        T.tma_load(A[0:8, 0:64], a[0:8, 0:64], full[0])
        T.mbarrier_wait(full[0], 0)
        C[tx] = a[3, tx]
