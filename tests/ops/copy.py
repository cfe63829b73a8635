# tilescope-ir 1
# ./dev lit tests/ops/copy.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# Whole buffers and open slices are accepted and printed as ranges; a row of extent 1 is an index.
# CHECK-LABEL: def copy_forms(
@T.prim_func(properties=["tile"])
def copy_forms(
    A: T.Tensor((256, 256), "float16"),
    C: T.Tensor((256, 256), "float32", output=True),
):
    A_shared = T.alloc_shared((3, 64, 32), "float16")
    B_shared = T.alloc_shared((64, 32), "float16", versions=2)
    A_local = T.alloc_fragment((64, 32), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.copy(A[0:64, 0:32], A_shared[1, 0:64, 0:32]){{$}}
        T.copy(A[0:64, 0:32], A_shared[1, :, :])
        # CHECK: T.copy(A[bx * 64:bx * 64 + 64, 0:32], B_shared[bx % 2, 0:64, 0:32], is_async=True){{$}}
        T.copy(A[bx * 64:bx * 64 + 64, 0:32], B_shared[bx % 2, 0:64, 0:32], is_async=True)
        # CHECK: T.copy(A[bx:bx + 64, 0:32], B_shared[1, 0:64, 0:32], coalesced_width=8, prefer_instruction="cp_async"){{$}}
        T.copy(A[bx:bx + 64, 0:32], B_shared[1, 0:64, 0:32], coalesced_width=8, prefer_instruction="cp_async")
        # CHECK: T.copy(B_shared[0, 0:64, 0:32], A_local[0:64, 0:32]){{$}}
        T.copy(B_shared[0, 0:64, 0:32], A_local)
        # CHECK: T.copy(A_local[0:64, 0:32], C[0:64, 32:64]){{$}}
        T.copy(src=A_local, dst=C[0:64, 32:64])
