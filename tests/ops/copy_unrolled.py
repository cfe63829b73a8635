# RUN: tilescope compile %s:sums -o - | FileCheck %s
# ./dev lit tests/ops/copy_unrolled.py
# RUN: tilescope compile %s:sums --set columns=64 -o - | FileCheck %s --check-prefix=ALL
import tilelang
import tilelang.language as T


# Of 255 registers the sums hold 192: 11 loads of 16 bytes at once are all that have room, a power of two of them.
# CHECK: #pragma unroll 8 // for more loads at once registers are too few
# CHECK-NEXT: for (int row_step = 0; row_step < 16; ++row_step) {
# CHECK: copy_vector<16>(&rows[
# ALL: for (int k = 0; k < blocks; ++k) {
# ALL: #pragma unroll{{$}}
# ALL-NEXT: for (int row_step = 0; row_step < 16; ++row_step) {
# ALL: copy_vector<16>(&rows[
# ALL-NOT: #pragma unroll {{[0-9]}}
@tilelang.jit
def sums(A, columns: int = 192):
    blocks = T.dynamic("blocks")
    A: T.Tensor((blocks, 64, 32), "float32")
    C = T.empty((32, columns), "float32")

    with T.Kernel(1, threads=32) as block:
        rows = T.alloc_shared((64, 32), "float32")
        total = T.alloc_fragment((32, columns), "float32")
        T.clear(total)
        for k in T.serial(blocks):
            T.copy(A[k, :, :], rows)
            for i, j in T.Parallel(32, columns):
                total[i, j] += rows[i, j % 32]
        T.copy(total, C)

    return C
