# RUN: tilescope compile %s:runs --target sm_90a | FileCheck %s
# ./dev lit tests/passes/lower_runs.py
# RUN: tilescope compile %s:runs --target sm_80 | FileCheck %s --check-prefix=OLD
# RUN: tilescope exec %s:runs --every-pass --witness --target sm_90a
# RUN: tilescope exec %s:runs --every-pass --witness --target sm_80

# A copy that converts, and atomic sums of a tile, give each thread runs of adjacent elements: as
# long as both sides are aligned, and sums as the target has instructions for. A tile of fewer
# elements than threads stays one of elements, and so does one whose rows begin anywhere.
import tilelang
import tilelang.language as T


# CHECK: copy_vector_or_zero<16>(A_vec, &A[{{.*}}], col < 72);
# CHECK: B_vec[{{.*}}] = bfloat16(A_vec[{{.*}}]);
# CHECK: copy_vector<8>(&B[
# CHECK: copy_vector<16>(C_vec, &s[
# CHECK: red_add_f32<4>(&C[
# CHECK: if (tx < 8) {
# CHECK-NEXT: E[{{.*}}] = bfloat16(D[
# CHECK: F[{{.*}}] = bfloat16(A[
# OLD: copy_vector<8>(&B[
# OLD: atomicAdd(&C[
@tilelang.jit
def runs():
    @T.prim_func
    def main(
        A: T.Tensor((16, 72), "float32"),
        B: T.Tensor((16, 72), "bfloat16"),
        C: T.Tensor((16, 64), "float32"),
        D: T.Tensor((8, 9), "float32"),
        E: T.Tensor((8, 9), "bfloat16"),
        F: T.Tensor((32, 9), "bfloat16"),
    ):
        with T.Kernel(1, threads=128):
            s = T.alloc_shared((16, 64), "float32")
            T.copy(A, B)
            for i, j in T.Parallel(16, 64):
                s[i, j] = A[i, j]
            T.atomic_add(C, s)
            T.copy(D[0, 0:8], E[0, 0:8])
            T.copy(A[0:16, 1:9], F[0:16, 1:9])

    return main
