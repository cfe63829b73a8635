# tilescope-ir 1
# ./dev lit tests/ops/fill.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def fill_forms(
@T.prim_func(properties=["tile"])
def fill_forms(
    A: T.Tensor((256, 256), "float16"),
    C: T.Tensor((256, 256), "float32", output=True),
):
    A_shared = T.alloc_shared((64, 32), "float16", versions=2)
    C_local = T.alloc_fragment((64,), "float32")
    n_local = T.alloc_local((4,), "int32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.fill(C_local[0:64], 0.0){{$}}
        T.fill(C_local, 0.0)
        # CHECK: T.fill(C_local[8:16], -T.infinity("float32")){{$}}
        T.fill(C_local[8:16], -T.infinity("float32"))
        # CHECK: T.fill(A_shared[1, 0:64, 0:32], T.float16(1.5)){{$}}
        T.fill(A_shared[1, 0:64, 0:32], T.float16(1.5))
        # CHECK: T.fill(n_local[0:4], -1){{$}}
        T.fill(dst=n_local, value=-1)
