# RUN: tilescope compile %s:neighbours -o %t 2>&1 | FileCheck %s
# ./dev lit tests/diagnostics/blocks_read_others.py
# RUN: exits 1 tilescope check --strict %s:neighbours
# RUN: tilescope check --strict %s:met | grep 'free of hazards  yes'

# What a block reads while another one writes it is what was there before, or what is there after:
# nothing orders blocks but barriers of the grid.
import tilelang.language as T


@T.prim_func
def neighbours(A: T.Tensor((512,), "float32"), W: T.Tensor((512,), "float32"), C: T.Tensor((512,), "float32")):
    with T.Kernel(4, threads=128) as bx:
        for i in T.Parallel(128):
            # CHECK: [[# @LINE + 5]]:13: warning: it is not established that threads which run this statement read no element of 'W' that others write: other blocks may write them, and no barrier of the grid is between
            # CHECK: [[# @LINE + 1]]:13: note: 'W' is written here
            W[bx * 128 + i] = A[bx * 128 + i]
        T.sync_threads()
        for i in T.Parallel(128):
            C[bx * 128 + i] = W[(bx + 1) % 4 * 128 + i]


@T.prim_func
def met(A: T.Tensor((512,), "float32"), W: T.Tensor((512,), "float32"), C: T.Tensor((512,), "float32")):
    with T.Kernel(4, threads=128) as bx:
        for i in T.Parallel(128):
            W[bx * 128 + i] = A[bx * 128 + i]
        T.sync_grid()
        for i in T.Parallel(128):
            C[bx * 128 + i] = W[(bx + 1) % 4 * 128 + i]
