# tilescope-ir 1
# ./dev lit tests/ops/gemm.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def gemm_forms(
@T.prim_func(properties=["tile"])
def gemm_forms(
    A: T.Tensor((256, 256), "float16"),
    C: T.Tensor((256, 256), "float32", output=True),
):
    A_shared = T.alloc_shared((128, 32), "float16")
    B_shared = T.alloc_shared((2, 32, 64), "float16")
    C_local = T.alloc_fragment((128, 64), "float32")
    AT_shared = T.alloc_shared((32, 128), "float16")
    BT_shared = T.alloc_shared((64, 32), "float16")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.gemm(A_shared[0:128, 0:32], B_shared[1, 0:32, 0:64], C_local[0:128, 0:64]){{$}}
        T.gemm(A_shared, B_shared[1, :, :], C_local)
        # CHECK: T.gemm(AT_shared[0:32, 0:128], BT_shared[0:64, 0:32], C_local[0:128, 0:64], transpose_A=True, transpose_B=True){{$}}
        T.gemm(AT_shared[0:32, 0:128], BT_shared[0:64, 0:32], C_local[0:128, 0:64], transpose_A=True, transpose_B=True)
        # CHECK: T.gemm(A_shared[0:128, 0:32], BT_shared[0:64, 0:32], C_local[0:128, 0:64], clear_accum=bx == 0, transpose_B=True, policy="full_row"){{$}}
        T.gemm(A_shared[0:128, 0:32], BT_shared[0:64, 0:32], C_local[0:128, 0:64], clear_accum=bx == 0, transpose_B=True, policy="full_row")
