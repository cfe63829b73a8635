# tilescope-ir 1
# ./dev lit tests/ops/atomic_element.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def atomic_element_forms(
@T.prim_func(properties=["lowered"])
def atomic_element_forms(
    A: T.Tensor((256, 256), "float16"),
    C: T.Tensor((256, 256), "float32", output=True),
):
    r = T.alloc_local((4,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.atomic_element(C[bx, tx], r[0]){{$}}
        T.atomic_element(C[bx, tx], r[0])
        # CHECK: T.atomic_element(C[bx, tx], 1.0){{$}}
        T.atomic_element(C[bx:bx + 1, tx], 1.0)
