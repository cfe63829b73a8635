# A gemm of fp8 is one mma.sync from sm_89 on; before, its operands are widened where they are used.
# ./dev lit tests/passes/gemm_float8.py
# RUN: tilescope show remarks %s | FileCheck %s --check-prefix=WIDENED
# RUN: tilescope show remarks %s --target sm_89 | FileCheck %s --check-prefix=NATIVE
# RUN: tilescope compile %s -o - | FileCheck %s
# RUN: tilescope exec %s --every-pass --witness | FileCheck %s --check-prefix=RUNS
import tilelang
import tilelang.language as T


# WIDENED: mma.sync m16n8k32, 2 x 2 warps
# WIDENED: sm_80 has no mma.sync for float8_e4m3fn: operands become fp16 in registers, which holds them exactly [GemmWidened]
# NATIVE: mma.sync m16n8k32, 2 x 2 warps
# NATIVE-NOT: GemmWidened
# CHECK: #if __CUDA_ARCH__ >= 890
# CHECK: mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32
# CHECK: #else
# CHECK-NEXT: mma_fp8_by_half(c, a, b);
# RUNS: cuda {{ *}}equal
# RUNS: cuda reversed {{ *}}equal
@tilelang.jit(out_idx=[-1])
def matmul(dtype="float8_e4m3fn"):
    @T.prim_func
    def main(A: T.Tensor((64, 64), dtype), B: T.Tensor((64, 64), dtype), C: T.Tensor((64, 64), "float32")):
        with T.Kernel(1, threads=128) as bx:
            A_shared = T.alloc_shared((64, 64), dtype)
            B_shared = T.alloc_shared((64, 64), dtype)
            acc = T.alloc_fragment((64, 64), "float32")
            T.copy(A, A_shared)
            T.copy(B, B_shared)
            T.gemm(A_shared, B_shared, acc, transpose_B=True, clear_accum=True)
            T.copy(acc, C)

    return main
