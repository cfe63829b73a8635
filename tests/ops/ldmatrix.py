# tilescope-ir 1
# ./dev lit tests/ops/ldmatrix.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def ldmatrix_forms(
@T.prim_func(properties=["lowered"])
def ldmatrix_forms(
    A: T.Tensor((256, 256), "float16"),
    C: T.Tensor((256, 256), "float32", output=True),
):
    A_shared = T.alloc_shared((64, 32), "float16")
    r = T.alloc_local((16,), "float16")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.ldmatrix(A_shared[tx % 16, tx // 16 * 8:tx // 16 * 8 + 8], r[0:8]){{$}}
        T.ldmatrix(A_shared[tx % 16, tx // 16 * 8:tx // 16 * 8 + 8], r[0:8])
        # CHECK: T.ldmatrix(A_shared[tx % 16, 0:8], r[8:12], matrices=2, trans=True){{$}}
        T.ldmatrix(A_shared[tx % 16, 0:8], r[8:12], matrices=2, trans=True)
        # CHECK: T.ldmatrix(A_shared[tx % 8, 0:8], r[12:14], matrices=1){{$}}
        T.ldmatrix(A_shared[tx % 8, 0:8], r[12:14], matrices=1)
