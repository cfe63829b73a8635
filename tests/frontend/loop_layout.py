# RUN: split-file %s %t.dir
# ./dev lit tests/frontend/loop_layout.py
# RUN: tilescope opt --passes '' %t.dir/given.py | FileCheck %s
# RUN: not tilescope opt --passes '' %t.dir/other.py 2>&1 | FileCheck %s --check-prefix=OTHER

#--- given.py
import tilelang.language as T


# CHECK: held = T.alloc_fragment((8, 16), "float32", layout="fragment(8@t4 | 4@t1 4@r1)"
# CHECK-NEXT: copies = T.alloc_fragment((8,), "float32", layout="fragment(8@t4 ; 4@t1)"
# CHECK: for i0, i1 in T.Parallel(8, 16, layout="fragment(8@t4 | 4@t1 4@r1)"):
# CHECK-NEXT: tile[i0, i1] = A[i0, i1]
# CHECK: for i, j in T.Parallel(8, 16, layout="fragment(8@t4 | 4@t1 4@r1)"):
@T.prim_func
def main(A: T.Tensor((8, 16), "float32")):
    with T.Kernel(1, threads=32) as bx:
        tile = T.alloc_shared((8, 16), "float32")
        held = T.alloc_fragment((8, 16), "float32")
        copies = T.alloc_fragment((8,), "float32")
        rows = T.Fragment((8, 16), forward_fn=lambda i, j: (i * 4 + j // 4, j % 4))
        T.annotate_layout({
            held: rows,
            copies: T.Fragment((8,), forward_thread_fn=lambda i, rep: i * 4 + rep, replicate=4, forward_index_fn=lambda i: 0),
        })
        T.copy(A, tile, loop_layout=rows)
        for i, j in T.Parallel(8, 16, loop_layout=rows):
            held[i, j] = tile[i, j]
        T.clear(copies)

#--- other.py
import tilelang.language as T


# OTHER: 'loop_layout' of 'T.Parallel' must be a T.Fragment of the extents of the loop
@T.prim_func
def main(A: T.Tensor((8, 16), "float32")):
    with T.Kernel(1, threads=32) as bx:
        for i, j in T.Parallel(8, 16, loop_layout=T.Fragment((16, 8), forward_fn=lambda i, j: (i, j))):
            A[i, j] = 0
