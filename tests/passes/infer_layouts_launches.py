# tilescope-ir 1
# ./dev lit tests/passes/infer_layouts_launches.py
# RUN: tilescope opt %s --passes infer-layouts | FileCheck %s

# A tile is row major only once nobody wishes otherwise, in no launch: `b` is of the second.
# CHECK-LABEL: def two_launches(
# CHECK: a = T.alloc_shared((64, 64), "float16", layout="swizzle(128)")
# CHECK-NEXT: b = T.alloc_shared((64, 64), "float16", layout="swizzle(128)")
# CHECK-NEXT: plain = T.alloc_shared((64, 64), "float16", layout="row_major")
@T.prim_func(properties=["tile"])
def two_launches(A: T.Tensor((64, 64), "float16"), C: T.Tensor((64, 64), "float32", output=True), D: T.Tensor((64, 64), "float32", output=True)):
    a = T.alloc_shared((64, 64), "float16")
    b = T.alloc_shared((64, 64), "float16")
    plain = T.alloc_shared((64, 64), "float16")
    c = T.alloc_fragment((64, 64), "float32")
    d = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.copy(A[0:64, 0:64], a[0:64, 0:64])
        T.copy(A[0:64, 0:64], plain[0:64, 0:64])
        T.fill(c[0:64, 0:64], 0.0)
        T.gemm(a[0:64, 0:64], a[0:64, 0:64], c[0:64, 0:64])
        T.copy(c[0:64, 0:64], C[0:64, 0:64])
    with T.Kernel(1, threads=256) as (by, ty):
        T.copy(A[0:64, 0:64], b[0:64, 0:64])
        T.fill(d[0:64, 0:64], 0.0)
        T.gemm(b[0:64, 0:64], b[0:64, 0:64], d[0:64, 0:64])
        T.copy(d[0:64, 0:64], D[0:64, 0:64])
