# tilescope-ir 1
# ./dev lit tests/ops/cp_async.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def cp_async_forms(
@T.prim_func(properties=["lowered"])
def cp_async_forms(
    A: T.Tensor((256, 256), "float16"),
    C: T.Tensor((256, 256), "float32", output=True),
):
    A_shared = T.alloc_shared((64, 32), "float16", versions=3, layout="swizzle(64)", offset=0)
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.cp_async(A[bx * 64 + tx // 4, tx % 4 * 8:tx % 4 * 8 + 8], A_shared[bx % 3, tx // 4, tx % 4 * 8:tx % 4 * 8 + 8]){{$}}
        T.cp_async(A[bx * 64 + tx // 4, tx % 4 * 8:tx % 4 * 8 + 8], A_shared[bx % 3, tx // 4, tx % 4 * 8:tx % 4 * 8 + 8])
        # CHECK: T.cp_async(A[tx, 0:4], A_shared[0, tx, 0:4], predicate=tx < 64, bytes=8){{$}}
        T.cp_async(A[tx, 0:4], A_shared[0, tx, 0:4], predicate=tx < 64, bytes=8)
