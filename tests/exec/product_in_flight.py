# tilescope-ir 1
# ./dev lit tests/exec/product_in_flight.py
# RUN: exits 1 tilescope exec --target sm_90a %s | FileCheck %s
# RUN: sed -e '/# faulty$/d' -e 's/# mended: //' %s > %t.py && tilescope exec --target sm_90a %t.py | FileCheck %s --check-prefix=MENDED
# MENDED: {{^}}elaborate runs

# Sums are read before their products have been waited for, which nobody does; one of them starts inside a pattern.
# CHECK: {{^}}elaborate WRONG
# CHECK-NEXT: 'a' is accessed at [4, 0], where no access of so many bytes may start, by thread 0 of block 0; 4 times [misaligned]
# CHECK-NEXT: line [[#@LINE+29]]: T.wgmma(a[4:68, 0:16], b[0:16, 0:64], c[0:32]) # faulty
# CHECK-NEXT: 'c' is used by wgmma and by threads, and no T.wgmma_fence of it lies between, by thread 0 of block 0; 128 times [register-not-fenced]
# CHECK-NEXT: line [[#@LINE+31]]: C[tx] = c[0]
# CHECK-NEXT: 'c' is read where nothing was written, by thread 0 of block 0; 128 times [uninitialised-read]
# CHECK-NEXT: line [[#@LINE+29]]: C[tx] = c[0]
# CHECK-NEXT: the product into 'c' is in flight when its threads end, by thread 0 of block 0; 4 times [product-in-flight]
# CHECK-NEXT: line [[#@LINE+22]]: T.wgmma(a[0:64, 0:16], b[0:16, 0:64], c[0:32]) # mended
# CHECK-NEXT: the product into 'c' is in flight when its threads end, by thread 0 of block 0; 4 times [product-in-flight]
# CHECK-NEXT: line [[#@LINE+21]]: T.wgmma(a[4:68, 0:16], b[0:16, 0:64], c[0:32]) # faulty
# CHECK-NOT: {{.}}

@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered", "barriers-placed", "arena-planned", "barriers-final"])
def product_in_flight(
    C: T.Tensor((128,), "float32", output=True),
):
    a = T.alloc_shared((128, 16), "float16", layout="aligned_swizzle(32)", offset=0)
    b = T.alloc_shared((16, 64), "float16", layout="aligned_swizzle(128)", offset=4096)
    c = T.alloc_local((32,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        for k in T.serial(16):
            a[tx, k] = T.float16(1.0)
        for i in T.serial(8):
            b[tx // 64 * 8 + i, tx % 64] = T.float16(2.0)
        for i in T.serial(32):
            c[i] = 0.0
        T.proxy_fence()
        T.barrier()
        T.wgmma_fence(c[0:32])
        T.wgmma(a[0:64, 0:16], b[0:16, 0:64], c[0:32]) # mended
        T.wgmma(a[4:68, 0:16], b[0:16, 0:64], c[0:32]) # faulty
        T.wgmma_commit()
        # mended: T.wgmma_wait(pending=0)
        # mended: T.wgmma_fence(c[0:32])
        C[tx] = c[0]
