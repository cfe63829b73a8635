# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_wgmma_hazard.py
# RUN: not tilescope opt --target sm_90a --passes simplify %s 2>&1 | FileCheck %s
@T.prim_func(properties=["lowered", "barriers-placed", "arena-planned", "barriers-final"])
def hazards(
    A: T.Tensor((8, 128), "float32"),
):
    a = T.alloc_shared((64, 64), "float16", layout="aligned_swizzle(128)", offset=0)
    c = T.alloc_local((32,), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for i in T.serial(32):
            c[i] = 0.0
            a[tx // 64 + i * 2, tx % 64] = T.float16(1.0)
        T.barrier()
        T.wgmma_fence(c[0:32])
        # CHECK: [[# @LINE + 1]]:{{.*}}error: 'a' is accessed through the asynchronous proxy, and no fence orders that and the access of 'a'
        T.wgmma(a[0:64, 0:16], a[0:16, 0:64], c[0:32])
        T.wgmma_commit()
        T.proxy_fence()
        T.barrier()
        T.wgmma_fence(c[0:32])
        T.wgmma(a[0:64, 0:16], a[0:16, 0:64], c[0:32])
        T.wgmma_commit()
        T.wgmma_wait(pending=1)
        T.barrier()
        # CHECK: [[# @LINE + 1]]:{{.*}}error: 'a' is accessed before the product or store that reads 'a' has been waited for
        a[tx // 2, tx % 2 * 32] = T.float16(0.0)
        T.wgmma_wait(pending=0)
        # CHECK: [[# @LINE + 1]]:{{.*}}error: 'a' is accessed after a wait for the product or store that reads 'a', but no barrier lets other threads know
        a[tx // 2, tx % 2 * 32 + 1] = T.float16(0.0)
        T.barrier()
        a[tx // 2, tx % 2 * 32 + 2] = T.float16(0.0)
        A[bx, tx] = c[0]
