# RUN: tilescope opt --passes '' %s:product | FileCheck %s
# ./dev lit tests/frontend/sparse_tensor_core.py
# RUN: exits 2 tilescope opt --passes '' %s:apart 2>&1 | FileCheck %s --check-prefix=APART
# RUN: tilescope exec --every-pass --witness %s:product | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope exec --every-pass --witness %s:product --set meta=uint8 --set transpose_B=1 --set transpose_E=1 --set columns=24 | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope exec --every-pass --witness %s:product --set dtype=int8 --set accum=int32 --set meta=int32 --set transpose_A=1 | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope exec --every-pass --witness %s:product --set dtype=float32 --set transpose_B=1 | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: exits 2 tilescope opt --passes '' %s:saturated 2>&1 | FileCheck %s --check-prefix=SATURATED
# RIGHT: insert-barriers#2 {{.*}}equal
# RIGHT: cuda {{.*}}equal

# The intrinsics of a sparse product beside T.gemm_sp of the same operands.
import tilelang
import tilelang.language as T
from tilelang.cuda.intrinsics import SparseTensorCoreIntrinEmitter


# CHECK: T.mma_sparse(a_regs[i * 8:i * 8 + 8], b_regs[j * 16:j * 16 + 8], c_regs[(i * 2 + j) * 8:(i * 2 + j) * 8 + 4], e_regs[i * 2:i * 2 + 2])
# CHECK-NEXT: T.mma_sparse(a_regs[i * 8:i * 8 + 8], b_regs[j * 16 + 8:j * 16 + 16], c_regs[(i * 2 + j) * 8 + 4:(i * 2 + j) * 8 + 8], e_regs[i * 2:i * 2 + 2])
@tilelang.jit
def product(dtype="float16", meta="int16", accum="float32", transpose_A=False, transpose_B=False, transpose_E=False, columns=32):
    K = 128
    emitter = SparseTensorCoreIntrinEmitter(
        a_dtype=dtype, e_dtype=meta, b_dtype=dtype, accum_dtype=accum, a_transposed=transpose_A, b_transposed=transpose_B,
        e_transposed=transpose_E, block_row_warps=2, block_col_warps=2, warp_row_tiles=32, warp_col_tiles=columns, warp_k=K)
    words = K // emitter.e_factor
    N = 2 * columns

    def tile_of(rows, columns, transposed):
        return (columns, rows) if transposed else (rows, columns)

    a, b, e = tile_of(64, K // 2, transpose_A), tile_of(K, N, transpose_B), tile_of(64, words, transpose_E)

    @T.prim_func
    def kernel(A: T.Tensor(a, dtype), E: T.Tensor(e, meta), B: T.Tensor(b, dtype), C: T.Tensor((64, N), accum), D: T.Tensor((64, N), accum)):
        with T.Kernel(1, threads=128):
            A_tile = T.alloc_shared(a, dtype)
            E_tile = T.alloc_shared(e, meta)
            B_tile = T.alloc_shared(b, dtype)
            sums = T.alloc_fragment((64, N), accum)
            a_regs = T.alloc_local((emitter.warp_rows * emitter.local_size_a,), dtype)
            b_regs = T.alloc_local((emitter.warp_cols * emitter.local_size_b,), dtype)
            e_regs = T.alloc_local((emitter.warp_rows * emitter.local_size_e,), meta)
            c_regs = T.alloc_local((emitter.warp_rows * emitter.warp_cols * emitter.local_size_out,), accum)
            T.copy(A, A_tile)
            T.copy(E, E_tile)
            T.copy(B, B_tile)
            T.clear(c_regs)
            for ki in T.serial(K // emitter.micro_size_k):
                emitter.ldmatrix_a(a_regs, A_tile, ki)
                emitter.ldmatrix_e(e_regs, E_tile, ki)
                emitter.ldmatrix_b(b_regs, B_tile, ki)
                emitter.mma_sp(a_regs, e_regs, b_regs, c_regs)
            emitter.stmatrix(c_regs, C, 0, 0)
            T.clear(sums)
            T.gemm_sp(A_tile, E_tile, B_tile, sums, transpose_A, transpose_E, transpose_B)
            T.copy(sums, D)

    return kernel


# SATURATED: error: T.ptx_mma_sp of m16n8k64 that saturates is not supported yet
@T.prim_func
def saturated(X: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=32):
        a = T.alloc_local((16,), "int8")
        c = T.alloc_local((4,), "int32")
        e = T.alloc_local((1,), "int32")
        T.ptx_mma_sp("int32", "m16n8k64", "row", "col", "int8", "int8", "int32", a.data, 0, a.data, 0, c.data, 0, e.data, 0, 0, True)


# Registers are words: an operand starts with one.
# APART: error: 'meta_index' of 'T.ptx_mma_sp' must be a multiple of 2, the elements of 32 bits
@T.prim_func
def apart(X: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=32):
        a = T.alloc_local((8,), "float16")
        c = T.alloc_local((4,), "float32")
        e = T.alloc_local((3,), "int16")
        T.ptx_mma_sp("float32", "m16n8k32", "row", "col", "fp16", "fp16", "fp32", a.data, 0, a.data, 0, c.data, 0, e.data, 1, 0, False)
