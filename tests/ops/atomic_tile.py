# tilescope-ir 1
# ./dev lit tests/ops/atomic_tile.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def atomic_add_forms(
@T.prim_func(properties=["tile"])
def atomic_add_forms(
    A: T.Tensor((256, 256), "float16"),
    C: T.Tensor((256, 256), "float32", output=True),
):
    C_local = T.alloc_fragment((64, 32), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.atomic_tile(C[bx * 64:bx * 64 + 64, 0:32], C_local[0:64, 0:32]){{$}}
        T.atomic_tile(C[bx * 64:bx * 64 + 64, 0:32], C_local[0:64, 0:32])
