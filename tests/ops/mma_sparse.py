# tilescope-ir 1
# ./dev lit tests/ops/mma_sparse.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def mma_sparse_forms(
@T.prim_func(properties=["lowered"])
def mma_sparse_forms(
    C: T.Tensor((256, 256), "float32", output=True),
):
    a = T.alloc_local((16,), "float16")
    b = T.alloc_local((8,), "float16")
    c = T.alloc_local((8,), "float32")
    e = T.alloc_local((4,), "int16")
    bytes = T.alloc_local((16,), "uint8")
    sums = T.alloc_local((4,), "int32")
    words = T.alloc_local((1,), "uint32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.mma_sparse(a[8:16], b[0:8], c[0:4], e[2:4]){{$}}
        T.mma_sparse(a[8:16], b[0:8], c[0:4], e[2:4])
        # CHECK: T.mma_sparse(a[0:8], b[0:8], c[4:8], e[0:2], selector=1){{$}}
        T.mma_sparse(a[0:8], b[0:8], c[4:8], e[0:2], selector=1)
        # CHECK: T.mma_sparse(bytes[0:16], bytes[0:16], sums[0:4], words[0], k=64){{$}}
        T.mma_sparse(bytes[0:16], bytes[0:16], sums[0:4], words[0], k=64)
