# tilescope-ir 1
# ./dev lit tests/ops/vector_copy.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def vector_copy_forms(
@T.prim_func(properties=["lowered"])
def vector_copy_forms(
    A: T.Tensor((256, 256), "float16"),
    C: T.Tensor((256, 256), "float32", output=True),
):
    A_shared = T.alloc_shared((64, 32), "float16")
    r = T.alloc_local((16,), "float16")
    s = T.alloc_local((16,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.vector_copy(A_shared[tx, 8:16], r[0:8]){{$}}
        T.vector_copy(A_shared[tx, 8:16], r[0:8])
        # CHECK: T.vector_copy(r[8:16], A[bx, 0:8], predicate=tx < 32){{$}}
        T.vector_copy(r[8:16], A[bx, 0:8], predicate=tx < 32)
        # CHECK: T.vector_copy(s[4:8], C[bx, tx * 4:tx * 4 + 4]){{$}}
        T.vector_copy(s[4:8], C[bx, tx * 4:tx * 4 + 4])
        # CHECK: T.vector_copy(s[3], C[bx, tx], bytes=4){{$}}
        T.vector_copy(s[3], C[bx, tx], bytes=4)
