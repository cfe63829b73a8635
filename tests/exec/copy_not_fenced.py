# tilescope-ir 1
# ./dev lit tests/exec/copy_not_fenced.py
# RUN: exits 1 tilescope exec --target sm_90a %s | FileCheck %s
# RUN: sed 's/# mended: //' %s > %t.py && tilescope exec --target sm_90a %t.py | FileCheck %s --check-prefix=MENDED
# MENDED: {{^}}elaborate runs

# What threads wrote may reach memory behind what a copy through the other proxy brings.
# CHECK: {{^}}elaborate WRONG
# CHECK: 'a' is accessed through the asynchronous proxy, and no proxy fence follows its write{{.*}}[not-fenced]
@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def copy_not_fenced(
    A: T.Tensor((8, 64), "float16"),
    C: T.Tensor((64,), "float16", output=True),
):
    a = T.alloc_shared((8, 64), "float16", layout="aligned_swizzle(128)", offset=0)
    full = T.alloc_shared((1,), "uint64", offset=1024)
    with T.Kernel(1, threads=64) as (bx, tx):
        T.mbarrier_init(full[0])
        a[2, tx] = T.float16(1.0)
        # mended: T.proxy_fence()
        T.barrier()
        T.mbarrier_arrive_expect(full[0], bytes=1024)
        T.tma_load(A[0:8, 0:64], a[0:8, 0:64], full[0])
        T.mbarrier_wait(full[0], 0)
        C[tx] = a[3, tx]
