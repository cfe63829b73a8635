# RUN: tilescope opt --passes '' %s:kept | FileCheck %s --implicit-check-not=warning
# ./dev lit tests/frontend/tile_order.py
# RUN: tilescope opt --passes '' %s:kept | tilescope opt --passes '' - | FileCheck %s
# RUN: tilescope exec %s:kept --every-pass | FileCheck %s --check-prefix=EXEC
# RUN: tilescope compile %s:kept -o - | FileCheck %s --check-prefix=CUDA
# RUN: tilescope opt --passes '' %s:not_kept 2>&1 | FileCheck %s --check-prefix=WHY

# A function of coordinates is the layout of a tile where one of ours puts each element there.
import tilelang.language as T


def by_chunks(tile):
    def places(i, j):
        chunk, inner = j // 8, j % 8
        return i, (chunk ^ i % 8) * 8 + inner

    return T.Layout(tile.shape, places)


# CHECK-LABEL: def kept(
@T.prim_func
def kept(A: T.Tensor((64, 64), "float16"), B: T.Tensor((64, 64), "float16"), C: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128):
        # CHECK: chunks = T.alloc_shared((64, 64), "float16", layout="swizzle(128)", layout_pinned=True)
        chunks = T.alloc_shared((64, 64), "float16")
        # CHECK: padded = T.alloc_shared((64, 64), "float16", layout="padded(8)", layout_pinned=True)
        padded = T.alloc_shared((64, 64), "float16")
        # CHECK: columns = T.alloc_shared((64, 64), "float16", layout="permuted(64@1 | 64@64)", layout_pinned=True)
        columns = T.alloc_shared((64, 64), "float16")
        # CHECK: blocks = T.alloc_shared((64, 64), "float16", layout="permuted(8@512 8@8 | 8@64 8@1)", layout_pinned=True)
        blocks = T.alloc_shared((64, 64), "float16")
        # CHECK: rows = T.alloc_shared((64, 64), "float16", layout="row_major", layout_pinned=True)
        rows = T.alloc_shared((64, 64), "float16")
        T.annotate_layout({
            chunks: by_chunks(chunks),
            padded: T.Layout((64, 64), lambda i, j: i * 72 + j),
            columns: lambda i, j: (j, i),
            blocks: lambda i, j: [i // 8, j // 8, i % 8, j % 8],
            rows: T.Layout((64, 64), lambda *places: places),
        })
        f = T.alloc_fragment((64, 64), "float32")
        T.copy(A, chunks)
        T.copy(B, padded)
        T.copy(B, columns)
        T.copy(A, blocks)
        T.copy(A, rows)
        T.clear(f)
        T.gemm(chunks, padded, f)
        T.gemm(blocks, columns, f, transpose_B=True)
        for i, j in T.Parallel(64, 64):
            f[i, j] += rows[63 - i, j] + columns[j, i]
        T.copy(f, C)


# CUDA: columns_at(u32 d0, u32 d1)
# CUDA-NEXT: return d0 + d1 * 64;
# EXEC-NOT: wrong


@T.prim_func
def not_kept(n: T.int32, A: T.Tensor((64, 64), "float16")):
    with T.Kernel(1, threads=128):
        s = T.alloc_shared((64, 64), "float16")
        small = T.alloc_shared((8, 8), "float16")
        f = T.alloc_fragment((64, 64), "float16")
        # WHY: [[# @LINE + 1]]:9: warning: the layout given for 's' is not taken: element (0, 1) has the place of another one; layout inference chooses one
        T.annotate_layout({s: lambda i, j: (i, j // 2)})
        # WHY: [[# @LINE + 1]]:9: warning: the layout given for 's' is not taken: its places are no rows with padding, no swizzle
        T.annotate_layout({s: lambda i, j: (i, j ^ i)})
        # WHY: [[# @LINE + 1]]:9: warning: the layout given for 'small' is not taken: it is for a shape of 4 x 16, and the tile has 8 x 8;
        T.annotate_layout({small: T.Layout((4, 16), lambda i, j: (i, j))})
        # WHY: [[# @LINE + 1]]:9: warning: the layout given for 's' is not taken: it has places below 0;
        T.annotate_layout({s: lambda i, j: (i, j - 1)})
        # WHY: [[# @LINE + 1]]:9: warning: the layout given for 's' is not taken: its results are no arithmetic of the coordinates;
        T.annotate_layout({s: lambda i, j: (i, j + n)})
        # WHY: [[# @LINE + 1]]:9: warning: the layout given for 's' is not taken: its function gives no places, {{.*}}
        T.annotate_layout({s: lambda i: i})
        # WHY: [[# @LINE + 1]]:9: warning: the layout given for 'f' is not taken: it orders memory, and this is a fragment;
        T.annotate_layout({f: T.Layout((64, 64), lambda i, j: (j, i))})
        T.clear(s)
        T.clear(small)
        T.clear(f)
