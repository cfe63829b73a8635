# tilescope-ir 1
# ./dev lit tests/ops/wgmma.py
# RUN: tilescope opt --target sm_90a --passes '' %s | FileCheck %s

# CHECK-LABEL: def wgmma_forms(
@T.prim_func(properties=["lowered"])
def wgmma_forms(
    C: T.Tensor((256, 256), "float32", output=True),
):
    # CHECK: layout="aligned_swizzle(128)"
    a = T.alloc_shared((64, 64), "float16", versions=2, layout="aligned_swizzle(128)", offset=0)
    b = T.alloc_shared((64, 128), "float16", layout="aligned_swizzle(128)", offset=16384)
    d = T.alloc_shared((256, 32), "bfloat16", layout="aligned_swizzle(64)", offset=32768)
    e = T.alloc_shared((64, 128), "float8_e4m3fn", layout="aligned_swizzle(128)", offset=49152)
    f = T.alloc_shared((72, 128), "float8_e5m2", layout="aligned_swizzle(128)", offset=57344)
    g = T.alloc_local((32,), "float8_e5m2")
    c = T.alloc_local((128,), "float32")
    h = T.alloc_local((64,), "float16")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.wgmma(a[1, 0:64, 16:32], b[16:32, 0:128], c[64:128]){{$}}
        T.wgmma(a[1, 0:64, 16:32], b[16:32, 0:128], c[64:128])
        # CHECK: T.wgmma(a[0, 0:16, 0:64], b[0:64, 0:16], c[0:32], transpose_A=True, transpose_B=True){{$}}
        T.wgmma(a[0, 0:16, 0:64], b[0:64, 0:16], c[0:32], transpose_A=True, transpose_B=True)
        # CHECK: T.wgmma(d[64:128, 0:16], d[0:256, 16:32], c[0:128], transpose_B=True){{$}}
        T.wgmma(d[64:128, 0:16], d[0:256, 16:32], c[0:128], transpose_B=True)
        # CHECK: T.wgmma(h[8:16], b[16:32, 0:64], h[0:32], clear_accum=tx < 0){{$}}
        T.wgmma(h[8:16], b[16:32, 0:64], h[0:32], clear_accum=tx < 0)
        # CHECK: T.wgmma(h[0:8], b[0:24, 0:16], c[0:12], transpose_B=True){{$}}
        T.wgmma(h[0:8], b[0:24, 0:16], c[0:12], transpose_B=True)
        # CHECK: T.wgmma(e[0:64, 32:64], f[0:72, 32:64], c[0:36], transpose_B=True){{$}}
        T.wgmma(e[0:64, 32:64], f[0:72, 32:64], c[0:36], transpose_B=True)
        # CHECK: T.wgmma(g[16:32], e[0:64, 0:32], h[0:32], transpose_B=True){{$}}
        T.wgmma(g[16:32], e[0:64, 0:32], h[0:32], transpose_B=True)
