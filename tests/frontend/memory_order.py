# RUN: tilescope opt --passes '' %s | FileCheck %s
# ./dev lit tests/frontend/memory_order.py
# RUN: tilescope opt --passes '' %s | tilescope opt --passes '' - | FileCheck %s
# RUN: tilescope compile %s -o - | FileCheck %s --check-prefix=CUDA

# A layout on a global tensor is the order of its memory.
import tilelang.language as T


def tiles_of_8x8(tensor):
    return T.Layout(tensor.shape, lambda i, j: [i // 8, j // 8, j % 2, i % 8 * 4 + j % 8 // 2])


# CHECK: A: T.Tensor((64, 32), "float32", layout="permuted(8@256 8@4 | 4@64 4@1 2@32)", layout_pinned=True)
# CHECK: B: T.Tensor((64, 32), "float32", layout="permuted(64@1 | 32@64)", layout_pinned=True)
# CHECK: C: T.Tensor((4, 16, 32), "float32", layout="permuted(4@32 | 16@128 | 32@1)", layout_pinned=True)
@T.prim_func
def kernel(A: T.Tensor((64, 32), "float32"), B: T.Tensor((64, 32), "float32"),
           C: T.Tensor((4, 16, 32), "float32")):
    with T.Kernel(4, threads=128) as bx:
        S = T.alloc_shared((16, 32), "float32")
        T.annotate_layout({
            A: tiles_of_8x8(A),
            B: T.Layout(B.shape, lambda i, j: (j, i)),
            C: T.Layout([4, 16, 32], lambda b, i, j: [i, b, j]),
        })
        # CUDA: __device__ __forceinline__ u32 A_at(u32 d0, u32 d1)
        # CUDA-NEXT: return d0 / 8 * 256 + d0 % 8 * 4 + d1 / 8 * 64 + d1 / 2 % 4 + d1 % 2 * 32;
        # CUDA: u32 C_at(u32 d0, u32 d1, u32 d2)
        # CUDA-NEXT: return d0 * 32 + d1 * 128 + d2;
        # Columns of B are far apart, rows of C are not.
        # CUDA: copy_vector<4>(&S[row * 32 + lane_col], &A[A_at(bx * 16 + row, lane_col)]);
        # CUDA: copy_vector<4>(&B[B_at(bx * 16 + row, lane_col{{.*}})], &S[row * 32 + lane_col
        # CUDA: copy_vector<16>(&C[C_at(bx, [[ROW:lane_row_[0-9]+]], [[COL:lane_col_[0-9]+]])], &S[[[ROW]] * 32 + [[COL]]]
        T.copy(A[bx * 16, 0], S)
        T.copy(S, B[bx * 16, 0])
        T.copy(S, C[bx, 0, 0])
