# tilescope-ir 1
# ./dev lit tests/ops/tma_copy.py
# RUN: tilescope opt --target sm_90a --passes '' %s | FileCheck %s
# RUN: tilescope opt --target sm_90a --passes infer-layouts,lower-tile-ops %s | FileCheck %s --check-prefix=BOXES

# A box is as wide as the swizzle, and has 256 rows at most.
# CHECK-LABEL: def tma_copy_forms(
# BOXES-LABEL: def tma_copy_forms(
# BOXES: a = T.alloc_shared((512, 64), "float16", layout="aligned_swizzle(128)")
# BOXES: b = T.alloc_shared((8, 96), "float32", layout="aligned_swizzle(128)")
@T.prim_func(properties=["tile", "pipelined"])
def tma_copy_forms(A: T.Tensor((1024, 128), "float16"), B: T.Tensor((2, 32, 96), "float32")):
    a = T.alloc_shared((512, 64), "float16")
    b = T.alloc_shared((8, 96), "float32")
    full = T.alloc_shared((1,), "uint64")
    with T.Kernel(2, threads=128) as (bx, tx):
        T.mbarrier_init(full[0])
        T.mbarrier_arrive_expect(full[0], bytes=68608)
        # CHECK: T.tma_copy(A[bx * 512:bx * 512 + 512, 64:128], a[0:512, 0:64], full[0]){{$}}
        # BOXES: T.tma_load(A[bx * 512:bx * 512 + 256, 64:128], a[0:256, 0:64], full[0])
        # BOXES-NEXT: T.tma_load(A[bx * 512 + 256:bx * 512 + 512, 64:128], a[256:512, 0:64], full[0])
        T.tma_copy(A[bx * 512:bx * 512 + 512, 64:128], a[0:512, 0:64], full[0])
        # BOXES-NEXT: T.tma_load(B[bx, 8:16, 0:32], b[0:8, 0:32], full[0])
        # BOXES-NEXT: T.tma_load(B[bx, 8:16, 32:64], b[0:8, 32:64], full[0])
        # BOXES-NEXT: T.tma_load(B[bx, 8:16, 64:96], b[0:8, 64:96], full[0])
        T.tma_copy(B[bx, 8:16, 0:96], b[0:8, 0:96], full[0])
        T.mbarrier_wait(full[0], 0)
