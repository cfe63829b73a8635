# tilescope-ir 1
# ./dev lit tests/exec/copy_not_waited.py
# RUN: exits 1 tilescope exec --target sm_90a %s | FileCheck %s
# RUN: sed 's/# waits: //' %s > %t.waits.py && tilescope exec --target sm_90a %t.waits.py | FileCheck %s --check-prefix=MENDED
# RUN: sed 's/# told: //' %s > %t.told.py && tilescope exec --target sm_90a %t.told.py | FileCheck %s --check-prefix=MENDED
# MENDED: {{^}}elaborate runs

# That one role has waited for the copy tells the other nothing, unless it is told.
# CHECK: {{^}}elaborate WRONG
# CHECK: 'a' is read before the copy into it has been waited for{{.*}}[read-in-flight]
@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def copy_not_waited(
    A: T.Tensor((8, 64), "float16"),
    C: T.Tensor((128,), "float16", output=True),
):
    a = T.alloc_shared((8, 64), "float16", layout="aligned_swizzle(128)", offset=0)
    full = T.alloc_shared((1,), "uint64", offset=1024)
    done = T.alloc_shared((1,), "uint64", offset=1040)
    with T.Kernel(1, threads=256) as (bx, tx):
        T.mbarrier_init(full[0])
        T.mbarrier_init(done[0], arrivals=128)
        T.barrier()
        with T.ws(0):
            T.mbarrier_arrive_expect(full[0], bytes=1024)
            T.tma_load(A[0:8, 0:64], a[0:8, 0:64], full[0])
            T.mbarrier_wait(full[0], 0)
            # told: T.mbarrier_arrive(done[0])
        with T.ws(1):
            # waits: T.mbarrier_wait(full[0], 0)
            # told: T.mbarrier_wait(done[0], 0)
            C[tx - 128] = a[3, tx % 64]
