# tilescope-ir 1
# ./dev lit tests/ops/raw_copy.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def raw_copy_forms(
@T.prim_func(properties=["lowered"])
def raw_copy_forms(
    A: T.Tensor((256, 256), "float32"),
    B: T.Tensor((256,), "int32", output=True),
    H: T.Tensor((256,), "float16", output=True),
    I: T.Tensor((256,), "int8"),
):
    s = T.alloc_shared((64, 32), "float32")
    w = T.alloc_local((8,), "uint32")
    f = T.alloc_local((4,), "float32")
    n = T.alloc_var((1,), "int32")
    z = T.alloc_local((16,), "uint32")
    u = T.alloc_var((1,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.raw_copy(A[bx, 0:4], w[0:4]){{$}}
        T.raw_copy(A[bx, 0:4], w[0:4])
        # CHECK: T.raw_copy(w[0:8], A[bx, 8:16], bytes=32){{$}}
        T.raw_copy(w[0:8], A[bx, 8:16], bytes=32)
        # CHECK: T.raw_copy(H[0:2], w[0], bytes=4){{$}}
        T.raw_copy(H[0:2], w[0], bytes=4)
