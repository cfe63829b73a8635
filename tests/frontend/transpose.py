# RUN: tilescope opt --passes '' %S/../door/inputs/transposes.py:transposed --set M=256 --set N=96 | FileCheck %s
# ./dev lit tests/frontend/transpose.py
# RUN: tilescope exec %S/../door/inputs/transposes.py:transposed --set M=256 --set N=96 --every-pass | FileCheck %s --check-prefix=EXEC
# RUN: tilescope compile %S/../door/inputs/transposes.py:transposed --set M=256 --set N=96 -o - | FileCheck %s --check-prefix=CUDA
# RUN: exits 1 tilescope check %s:early 2>&1 | FileCheck %s --check-prefix=EARLY
# RUN: exits 2 tilescope opt --passes '' %s:wrong 2>&1 | FileCheck %s --check-prefix=WRONG

# T.async_copy with waits of the kernel's own, T.transpose, and what a launch says of its extents.
import tilelang.language as T

# EXEC-NOT: WRONG
# EXEC: insert-barriers#2 {{ *}}equal

# CHECK: T.copy(A[{{.*}}], tile[{{.*}}], is_async=True
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.wait_group()
# CHECK: for i0, i1 in T.Parallel(64, 32):
# CHECK-NEXT: turned[i1, i0] = tile[i0, i1]
# CUDA: cp_async<16>
# CUDA: cp_async_commit();
# CUDA: cp_async_wait<0>();


@T.prim_func
def early(A: T.Tensor((64, 32), "float16"), B: T.Tensor((64, 32), "float16")):
    with T.Kernel(1, threads=128):
        tile = T.alloc_shared((64, 32), "float16")
        T.async_copy(A, tile)
        # EARLY: error, line [[# @LINE + 1]]: 'tile' is accessed before the asynchronous copy of 'tile' has been waited for
        T.copy(tile, B)


@T.prim_func
def wrong(A: T.Tensor((64, 32), "float16"), B: T.Tensor((6, 4, 3, 128), "int32")):
    with T.Kernel(6, 4, threads=(32, 4)) as (bx, by):
        tile = T.alloc_shared((64, 32), "float16")
        counts = T.get_block_extents() + T.get_thread_extents()
        assert counts == [6, 4, 1, 32, 4, 1]
        assert (T.get_block_extent(1), T.get_thread_extent(0), T.get_thread_extent(2)) == (4, 32, 1)
        # WRONG: [[# @LINE + 1]]:{{[0-9]+}}: error: {{.*}}dim{{.*}}0, 1 or 2
        T.get_thread_extent(3)
        # WRONG: [[# @LINE + 1]]:{{[0-9]+}}: error: {{.*}}dst{{.*}}a tile of the transposed extents of src, (64, 32)
        T.transpose(tile, tile)
        # WRONG: [[# @LINE + 1]]:{{[0-9]+}}: error: {{.*}}src{{.*}}a tile of a tensor
        T.async_copy(tile, A)
