# tilescope-ir 1
# ./dev lit tests/ops/tma_load.py
# RUN: tilescope opt --target sm_90a --passes '' %s | FileCheck %s

# CHECK-LABEL: def tma_load_forms(
@T.prim_func(properties=["lowered"])
def tma_load_forms(A: T.Tensor((256, 128), "float16"), B: T.Tensor((2, 8, 512, 64), "bfloat16")):
    a = T.alloc_shared((64, 128), "float16", versions=2, layout="aligned_swizzle(128)")
    b = T.alloc_shared((64, 64), "bfloat16", layout="aligned_swizzle(128)")
    full = T.alloc_shared((1,), "uint64", versions=2)
    with T.Kernel(2, threads=128, cluster_dims=[2, 1, 1]) as (bx, tx):
        T.mbarrier_init(full[0, 0])
        # CHECK: T.tma_load(A[192:256, 64:128], a[1, 0:64, 64:128], full[0, 0]){{$}}
        T.tma_load(A[192:256, 64:128], a[1, 0:64, 64:128], full[0, 0])
        # CHECK: T.tma_load(A[192:256, 64:128], a[1, 0:64, 64:128], full[0, 0], cluster_mask=3){{$}}
        T.tma_load(A[192:256, 64:128], a[1, 0:64, 64:128], full[0, 0], cluster_mask=3)
        # CHECK: T.tma_load(B[1, 3, 64:128, 0:64], b[0:64, 0:64], full[0, 0]){{$}}
        T.tma_load(B[1, 3, 64:128, 0:64], b[0:64, 0:64], full[0, 0])
