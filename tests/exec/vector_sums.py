# RUN: tilescope exec %s:sums --every-pass --witness --target sm_90a
# ./dev lit tests/exec/vector_sums.py
# RUN: tilescope exec %s:sums --every-pass --witness --target sm_80
# RUN: tilescope exec %s:sums --every-pass --witness --target sm_90a --set dtype=float16
# RUN: tilescope exec %s:sums --every-pass --witness --target sm_80 --set dtype=float16
# RUN: tilescope exec %s:sums --every-pass --witness --target sm_90a --set dtype=float32
# RUN: tilescope compile %s:sums --target sm_90a | FileCheck %s
# RUN: tilescope compile %s:sums --target sm_80 | FileCheck %s --check-prefix=OLD
# RUN: tilescope compile %s:sums --target sm_80 --set dtype=float16 | FileCheck %s --check-prefix=HALF
# RUN: tilescope compile %s:sums --target sm_90a --set dtype=float32 | FileCheck %s --check-prefix=FLOAT
# RUN: tilescope show remarks %s:sums --target sm_90a | FileCheck %s --check-prefix=WHY

# Sums into global memory: of the fragment of a product, of rows that memory chooses, below a
# condition; of a run of a thread; of what lies in shared memory; and of places that are not known
# to be aligned.
import tilelang
import tilelang.language as T


# CHECK: if (row >= 0 && row < 12
# CHECK: red_add_bf16<2>(&C[
# CHECK: red_add_bf16<8>(&D[tx * 8]
# CHECK: red_add_bf16<4>(&E[tx * 4]
# CHECK: atomic_add_bf162(&E[tx + 1]
# OLD: atomic_add_bf162(&C[
# OLD-NOT: red.
# HALF: red_add_f16<2>(&C[
# FLOAT: red_add_f32<2>(&C[
# FLOAT: red_add_f32<4>(&D[tx * 8]
# FLOAT: red_add_f32<4>(&E[tx * 4]
# WHY: vectorize-atomics, {{.*}}: 4 bytes of 'C' are added to by one instruction [SumsVectorized]
# WHY: 'D' is added to one element at a time: its condition is not known to have one value for all iterations [SumsNotVectorized]
# WHY: 'D' is added to one element at a time: its elements are not known to be adjacent and aligned [SumsNotVectorized]
@tilelang.jit
def sums(dtype="bfloat16"):
    @T.prim_func
    def main(
        A: T.Tensor((32, 32), "float16"),
        B: T.Tensor((32, 32), "float16"),
        rows: T.Tensor((32,), "int32"),
        C: T.Tensor((12, 32), dtype),
        D: T.Tensor((512,), dtype),
        E: T.Tensor((256,), dtype),
        n: T.int32,
    ):
        with T.Kernel(2, threads=32):
            tx = T.get_thread_binding()
            a = T.alloc_shared((32, 32), "float16")
            b = T.alloc_shared((32, 32), "float16")
            s = T.alloc_shared((128,), dtype)
            c = T.alloc_fragment((32, 32), "float32")
            T.copy(A, a)
            T.copy(B, b)
            T.clear(c)
            T.gemm(a, b, c)
            for i, j in T.Parallel(32, 32):
                row = rows[i]
                if row >= 0 and row < 12:
                    T.atomic_add(C[row, j], T.cast(c[i, j], dtype))
            for i in T.Parallel(128):
                s[i] = T.cast(A[i // 32, i % 32], dtype)
            for v in T.unroll(8):
                T.atomic_add(D[tx * 8 + v], T.cast(tx + v, dtype))
            for v in T.unroll(8):
                if v < n:
                    T.atomic_add(D[tx * 8 + v], T.cast(v, dtype))
            for v in T.unroll(2):
                T.atomic_add(D[tx + v + 128], T.cast(1, dtype))
            T.atomic_addx4(E[tx * 4], s[tx * 4])
            T.atomic_addx2(E[tx + 1], s[tx * 2])

    return main
