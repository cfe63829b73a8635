# tilescope-ir 1
# ./dev lit tests/ops/tma_store.py
# RUN: tilescope opt --target sm_90a --passes '' %s | FileCheck %s
# RUN: sed 's/# broken: //' %s > %t.py && not tilescope opt --target sm_90a --passes '' %t.py 2>&1 | FileCheck %s --check-prefix=BROKEN

# CHECK-LABEL: def tma_store_forms(
@T.prim_func(properties=["lowered"])
def tma_store_forms(A: T.Tensor((256, 128), "float16"), B: T.Tensor((2, 8, 512, 64), "bfloat16")):
    a = T.alloc_shared((64, 128), "float16", versions=2, layout="aligned_swizzle(128)")
    b = T.alloc_shared((64, 64), "bfloat16", layout="aligned_swizzle(128)")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.tma_store(a[1, 0:64, 64:128], A[192:256, 64:128]){{$}}
        T.tma_store(a[1, 0:64, 64:128], A[192:256, 64:128])
        # CHECK: T.tma_store(b[0:64, 0:64], B[1, 3, 64:128, 0:64]){{$}}
        T.tma_store(b[0:64, 0:64], B[1, 3, 64:128, 0:64])
        # BROKEN: [[# @LINE + 1]]:{{.*}}error: no copy of boxes moves what tma_store names: a row of the box has 64 bytes, not the 128 of the swizzle
        # broken: T.tma_store(a[1, 0:64, 0:32], A[0:64, 0:32])
        # BROKEN: [[# @LINE + 1]]:{{.*}}error: operand 'src' of tma_store is in global, but must be in shared.dyn
        # broken: T.tma_store(A[0:64, 0:64], a[1, 0:64, 0:64])
