# tilescope-ir 1
# ./dev lit tests/ops/tma_reduce.py
# RUN: tilescope opt --target sm_90a --passes '' %s | FileCheck %s
# RUN: sed 's/# broken: //' %s > %t.py && not tilescope opt --target sm_90a --passes '' %t.py 2>&1 | FileCheck %s --check-prefix=BROKEN

# CHECK-LABEL: def tma_reduce_forms(
@T.prim_func(properties=["lowered"])
def tma_reduce_forms(A: T.Tensor((256, 128), "float16"), B: T.Tensor((2, 8, 512, 32), "float32"), C: T.Tensor((64, 32), "int32")):
    a = T.alloc_shared((64, 128), "float16", versions=2, layout="aligned_swizzle(128)")
    b = T.alloc_shared((64, 32), "float32", layout="aligned_swizzle(128)")
    c = T.alloc_shared((64, 32), "int32", layout="aligned_swizzle(128)")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.tma_reduce(a[1, 0:64, 64:128], A[192:256, 64:128], kind="max"){{$}}
        T.tma_reduce(a[1, 0:64, 64:128], A[192:256, 64:128], kind="max")
        # CHECK: T.tma_reduce(b[0:64, 0:32], B[1, 3, 64:128, 0:32]){{$}}
        T.tma_reduce(b[0:64, 0:32], B[1, 3, 64:128, 0:32])
        # CHECK: T.tma_reduce(c[0:64, 0:32], C[0:64, 0:32]){{$}}
        T.tma_reduce(c[0:64, 0:32], C[0:64, 0:32])
        # BROKEN: [[# @LINE + 1]]:{{.*}}error: no copy of boxes moves what tma_reduce names: a row of the box has 64 bytes, not the 128 of the swizzle
        # broken: T.tma_reduce(a[1, 0:64, 0:32], A[0:64, 0:32])
        # BROKEN: [[# @LINE + 1]]:{{.*}}error: no copy of boxes moves what tma_reduce names: it has no 'max' of float32
        # broken: T.tma_reduce(b[0:64, 0:32], B[1, 3, 64:128, 0:32], kind="max")
        # BROKEN: [[# @LINE + 1]]:{{.*}}error: no copy of boxes moves what tma_reduce names: it has no 'min' of int32
        # broken: T.tma_reduce(c[0:64, 0:32], C[0:64, 0:32], kind="min")
        # BROKEN: [[# @LINE + 1]]:{{.*}}error: operand 'src' of tma_reduce is in global, but must be in shared.dyn
        # broken: T.tma_reduce(A[0:64, 0:64], a[1, 0:64, 0:64])
