# tilescope-ir 1
# ./dev lit tests/ops/gemm_sparse.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def gemm_sparse_forms(
@T.prim_func(properties=["tile"])
def gemm_sparse_forms(
    A: T.Tensor((256, 256), "float16"),
    C: T.Tensor((256, 256), "float32", output=True),
):
    A_shared = T.alloc_shared((64, 32), "float16")
    E_shared = T.alloc_shared((64, 4), "int16")
    ET_shared = T.alloc_shared((8, 64), "uint8")
    B_shared = T.alloc_shared((64, 64), "float16")
    C_local = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.gemm_sparse(A_shared[0:64, 0:32], B_shared[0:64, 0:64], C_local[0:64, 0:64], E_shared[0:64, 0:4]){{$}}
        T.gemm_sparse(A_shared, B_shared, C_local, E_shared)
        # CHECK: T.gemm_sparse(A_shared[0:64, 0:32], B_shared[0:64, 0:64], C_local[0:64, 0:64], ET_shared[0:8, 0:64], clear_accum=bx == 0, transpose_B=True, transpose_E=True, policy="full_row"){{$}}
        T.gemm_sparse(A_shared, B_shared, C_local, ET_shared, clear_accum=bx == 0, transpose_B=True, transpose_E=True, policy="full_row")
