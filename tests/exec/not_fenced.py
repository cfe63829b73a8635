# tilescope-ir 1
# ./dev lit tests/exec/not_fenced.py
# RUN: exits 1 tilescope exec --target sm_90a %s | FileCheck %s
# RUN: sed -e 's/# mended: //' %s > %t.py && tilescope exec --target sm_90a %t.py | FileCheck %s --check-prefix=MENDED
# RUN: sed -e 's/# behind: //' %s > %t.py && tilescope exec --target sm_90a %t.py | FileCheck %s --check-prefix=MENDED
# MENDED: {{^}}elaborate runs

# What threads wrote themselves wgmma reads, and they fence before they write it.
# CHECK: {{^}}elaborate WRONG
# CHECK-NEXT: 'a' is accessed through the asynchronous proxy, and no proxy fence follows its write, by thread 0 of block 0; {{.*}} [not-fenced]
# CHECK-NEXT: line [[#@LINE+21]]: T.wgmma(a[0:64, 0:16], b[0:16, 0:64], c[0:32], clear_accum=True)
# CHECK-NEXT: line [[#@LINE+15]]: a[tx, k] = T.float16(1.0)
# CHECK-NOT: {{.}}

@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def not_fenced(
    C: T.Tensor((128,), "float32", output=True),
):
    a = T.alloc_shared((128, 16), "float16", layout="aligned_swizzle(32)", offset=0)
    b = T.alloc_shared((16, 64), "float16", layout="aligned_swizzle(128)", offset=4096)
    c = T.alloc_local((32,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for i in T.serial(8):
            b[tx // 64 * 8 + i, tx % 64] = T.float16(2.0)
        T.proxy_fence()
        for k in T.serial(16):
            a[tx, k] = T.float16(1.0)
        # mended: T.proxy_fence()
        T.barrier()
        # behind: T.proxy_fence()
        T.wgmma_fence(c[0:32])
        T.wgmma(a[0:64, 0:16], b[0:16, 0:64], c[0:32], clear_accum=True)
        T.wgmma_commit()
        T.wgmma_wait(pending=0)
        T.wgmma_fence(c[0:32])
        C[tx] = c[0]
