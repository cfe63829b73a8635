# RUN: tilescope opt --passes '' %s:halves 2>&1 | FileCheck %s
# ./dev lit tests/frontend/sparse_gemm.py
# RUN: tilescope opt --passes '' %s:words 2>&1 | FileCheck %s --check-prefix=WORDS
# RUN: exits 2 tilescope opt --passes '' %s:short 2>&1 | FileCheck %s --check-prefix=SHORT

# Of two operands kept out of four the dense tile is made in registers, and multiplied.
import tilelang.language as T


# SparseGemmDense
# CHECK: :[[# @LINE + 14]]:{{.*}}remark: the zeros of 'A' are multiplied, too: it is filled with them in registers, and the product is a dense one
# CHECK: A_dense = T.alloc_fragment((64, 64), "float16")
# CHECK: for i, k in T.Parallel(64, 64):
# CHECK-NEXT: A_dense[i, k] = A[i, k // 4 * 2] if T.int32(E[i, k // 16]) >> k // 4 % 4 * 4 & 3 == k % 4 else
# CHECK: T.gemm(A_dense[0:64, 0:64], B[0:64, 0:64], C[0:64, 0:64], transpose_B=True
@T.prim_func
def halves(X: T.Tensor((64, 64), "float32")):
    with T.Kernel(1, threads=128):
        A = T.alloc_shared((64, 32), "float16")
        E = T.alloc_shared((64, 4), "int16")
        B = T.alloc_shared((64, 64), "float16")
        C = T.alloc_fragment((64, 64), "float32")
        for tile in (A, E, B, C):
            T.clear(tile)
        T.gemm_sp(A, E, B, C, transpose_B=True)


# Of two neighbours of 32 bits one is kept; operands that lie the other way round.
# WORDS: A_dense[i, k] = {{.*}}E[k // 16, i] >> k // 2 % 8 * 4 & 3 == k % 2 * 2
@T.prim_func
def words(X: T.Tensor((64, 64), "float32")):
    with T.Kernel(1, threads=128):
        A = T.alloc_shared((32, 64), "float32")
        E = T.alloc_shared((4, 64), "int32")
        B = T.alloc_shared((64, 64), "float32")
        C = T.alloc_fragment((64, 64), "float32")
        for tile in (A, E, B, C):
            T.clear(tile)
        T.gemm_sp(A, E, B, C, transpose_A=True, transpose_E=True)


# SHORT: :[[# @LINE + 7]]:{{.*}}error: 'E' of 'T.gemm_sp' must be integers with four bits for every group of A
@T.prim_func
def short(X: T.Tensor((64, 64), "float32")):
    with T.Kernel(1, threads=128):
        A = T.alloc_shared((64, 32), "float16")
        E = T.alloc_shared((64, 2), "int16")
        C = T.alloc_fragment((64, 64), "float32")
        T.gemm_sp(A, E, A, C)
