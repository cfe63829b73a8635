# tilescope-ir 1
# ./dev lit tests/ops/mma.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def mma_forms(
@T.prim_func(properties=["lowered"])
def mma_forms(
    A: T.Tensor((256, 256), "float16"),
    C: T.Tensor((256, 256), "float32", output=True),
):
    a = T.alloc_local((16,), "float16")
    b = T.alloc_local((8,), "float16")
    c = T.alloc_local((8,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.mma(a[0:8], b[4:8], c[0:4]){{$}}
        T.mma(a[0:8], b[4:8], c[0:4])
        # CHECK: T.mma(a[0:4], b[0:2], c[4:8], k=8){{$}}
        T.mma(a[0:4], b[0:2], c[4:8], k=8)
