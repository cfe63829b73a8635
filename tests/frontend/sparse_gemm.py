# RUN: tilescope opt --passes '' %s:product 2>&1 | FileCheck %s
# ./dev lit tests/frontend/sparse_gemm.py
# RUN: tilescope exec --every-pass --witness %s:product | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope exec --every-pass --witness %s:product --set dtype=bfloat16 --set meta=uint8 --set transpose_E=1 --set transpose_B=1 | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope exec --every-pass --witness %s:product --set meta=int32 --set accum=float16 --set transpose_A=1 --set N=24 | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope exec --every-pass --witness %s:product --set dtype=float32 | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope exec --every-pass --witness %s:product --set dtype=float32 --set meta=int32 --set transpose_A=1 | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope exec --every-pass --witness %s:product --set dtype=int8 --set accum=int32 --set transpose_B=1 | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope exec --every-pass --witness %s:product --set dtype=uint8 --set accum=int32 --set meta=int32 | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope compile %s:product -o - | FileCheck %s --check-prefix=CUDA
# RUN: tilescope opt --passes '' %s:halves 2>&1 | FileCheck %s --check-prefix=HALVES
# RUN: tilescope opt --passes '' %s:words 2>&1 | FileCheck %s --check-prefix=WORDS
# RUN: exits 2 tilescope opt --passes '' %s:short 2>&1 | FileCheck %s --check-prefix=SHORT
# RIGHT: insert-barriers#2 {{.*}}equal
# RIGHT: cuda {{.*}}equal

# Of two operands kept out of four the tensor core multiplies those that are kept.
import tilelang
import tilelang.language as T


# CHECK-NOT: remark
# CHECK: T.gemm_sparse(A_tile[0:64, 0:32], B_tile[0:64, 0:64], sums[0:64, 0:64], E_tile[0:64, 0:4], clear_accum=k == 0)
# CUDA: mma_sp_m16n8k32_f16_f32<0>(&
@tilelang.jit
def product(dtype=T.float16, meta=T.int16, accum=T.float32, transpose_A=False, transpose_B=False, transpose_E=False, N=64):
    per_word = T.dtype(meta).bits // 4 * (2 if T.dtype(dtype).bits == 32 else 4)
    K = 64

    def tile_of(rows, columns, transposed):
        return (columns, rows) if transposed else (rows, columns)

    a, b, e = tile_of(64, K // 2, transpose_A), tile_of(K, N, transpose_B), tile_of(64, K // per_word, transpose_E)

    @T.prim_func
    def kernel(A: T.Tensor((2, *a), dtype), E: T.Tensor((2, *e), meta), B: T.Tensor((2, *b), dtype), C: T.Tensor((64, N), accum)):
        with T.Kernel(1, threads=128):
            A_tile = T.alloc_shared(a, dtype)
            E_tile = T.alloc_shared(e, meta)
            B_tile = T.alloc_shared(b, dtype)
            sums = T.alloc_fragment((64, N), accum)
            for k in T.Pipelined(2, num_stages=2):
                T.copy(A[k, :, :], A_tile)
                T.copy(E[k, :, :], E_tile)
                T.copy(B[k, :, :], B_tile)
                T.gemm_sp(A_tile, E_tile, B_tile, sums, transpose_A, transpose_E, transpose_B, clear_accum=k == 0)
            T.copy(sums, C)

    return kernel


# Where no instruction takes the depth, the dense tile is made in registers.
# SparseGemmDense
# HALVES: :[[# @LINE + 14]]:{{.*}}remark: the zeros of 'A' are multiplied, too: it is filled with them in registers, and the product is a dense one
# HALVES: A_dense = T.alloc_fragment((64, 16), "float16")
# HALVES: for i, k in T.Parallel(64, 16):
# HALVES-NEXT: A_dense[i, k] = A[i, k // 4 * 2] if T.int32(E[i, k // 16]) >> k // 4 % 4 * 4 & 3 == k % 4 else
# HALVES: T.gemm(A_dense[0:64, 0:16], B[0:64, 0:16], C[0:64, 0:64], transpose_B=True
@T.prim_func
def halves(X: T.Tensor((64, 64), "float32")):
    with T.Kernel(1, threads=128):
        A = T.alloc_shared((64, 8), "float16")
        E = T.alloc_shared((64, 1), "int16")
        B = T.alloc_shared((64, 16), "float16")
        C = T.alloc_fragment((64, 64), "float32")
        for tile in (A, E, B, C):
            T.clear(tile)
        T.gemm_sp(A, E, B, C, transpose_B=True)


# Of two neighbours of 32 bits one is kept; operands that lie the other way round; metadata in registers.
# WORDS: A_dense[i, k] = {{.*}}E[k // 16, i] >> k // 2 % 8 * 4 & 3 == k % 2 * 2
@T.prim_func
def words(X: T.Tensor((64, 64), "float32")):
    with T.Kernel(1, threads=128):
        A = T.alloc_shared((32, 64), "float32")
        E = T.alloc_fragment((4, 64), "int32")
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
