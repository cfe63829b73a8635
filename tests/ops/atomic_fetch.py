# tilescope-ir 1
# ./dev lit tests/ops/atomic_fetch.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def atomic_fetch_forms(
@T.prim_func(properties=["lowered"])
def atomic_fetch_forms(
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
        # CHECK: T.atomic_fetch(B[tx], n[0], 1){{$}}
        T.atomic_fetch(B[tx], n[0], 1)
        # CHECK: T.atomic_fetch(s[0, tx % 32], u[0], 2.0, kind="max", order="acq_rel"){{$}}
        T.atomic_fetch(s[0, tx % 32], u[0], 2.0, kind="max", order="acq_rel")
