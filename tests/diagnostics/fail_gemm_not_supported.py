# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_gemm_not_supported.py
# RUN: not tilescope opt %s --passes infer-layouts 2>&1 | FileCheck %s

# CHECK-DAG: error: this gemm cannot be done by mma.sync: its depth 24 is not a multiple of 16
# CHECK-DAG: error: this gemm cannot be done by mma.sync: 256 threads cannot share 16 x 8 in warp tiles of 16 x 8
# CHECK-DAG: error: this gemm cannot be done by mma.sync: there is no mma.sync for int16 x int16 into int32
# CHECK-DAG: error: this gemm cannot be done by mma.sync: it takes only a part of fragment 'J_local'
@T.prim_func(properties=["tile"])
def shapes():
    A_shared = T.alloc_shared((16, 24), "float16")
    B_shared = T.alloc_shared((24, 64), "float16")
    C_local = T.alloc_fragment((16, 64), "float32")
    D_shared = T.alloc_shared((16, 32), "float16")
    E_shared = T.alloc_shared((32, 8), "float16")
    F_local = T.alloc_fragment((16, 8), "float32")
    G_shared = T.alloc_shared((16, 32), "int16")
    H_shared = T.alloc_shared((32, 64), "int16")
    I_local = T.alloc_fragment((16, 64), "int32")
    J_local = T.alloc_fragment((32, 64), "float32")
    K_shared = T.alloc_shared((32, 64), "float16")
    with T.Kernel(1, threads=256) as (bx, tx):
        T.gemm(A_shared[0:16, 0:24], B_shared[0:24, 0:64], C_local[0:16, 0:64])
        T.gemm(D_shared[0:16, 0:32], E_shared[0:32, 0:8], F_local[0:16, 0:8])
        T.gemm(G_shared[0:16, 0:32], H_shared[0:32, 0:64], I_local[0:16, 0:64])
        T.gemm(D_shared[0:16, 0:32], K_shared[0:32, 0:64], J_local[0:16, 0:64])
