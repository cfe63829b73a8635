# tilescope-ir 1
# ./dev lit tests/exec/too_large.py
# RUN: sed 's/1024/2147483647/' %s > %t.tile.py && exits 2 tilescope exec %t.tile.py 2>&1 | FileCheck %s --check-prefix=TILE
# RUN: sed 's/T.Kernel(1,/T.Kernel(2147483647,/' %s > %t.grid.py && exits 2 tilescope exec %t.grid.py 2>&1 | FileCheck %s --check-prefix=GRID
# RUN: sed 's/(64,)/(64, 2147483647)/; s/C\[tx\]/C[tx, 0]/' %s > %t.tensor.py && exits 2 tilescope exec %t.tensor.py 2>&1 | FileCheck %s --check-prefix=TENSOR
# RUN: sed 's/^    C: /    A: T.Tensor((300000000,), "float32"),\n&/; s/64,), "float32", out/300000000,), "float32", out/' %s > %t.sum.py && exits 2 tilescope exec %t.sum.py 2>&1 | FileCheck %s --check-prefix=TENSOR
# RUN: tilescope exec %s

# What does not fit into this machine is refused, and nothing of it is allocated.
# TILE: error: the buffers of a block have 2147483775 elements, which are too many to run on a CPU: take smaller sizes
# GRID: error: 2147483647 blocks of 64 threads are too many to run on a CPU: take smaller sizes
# TENSOR: error: with tensor 'C' the tensors take more than 2 GiB

@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered"])
def large(
    C: T.Tensor((64,), "float32", output=True),
):
    S = T.alloc_shared((1024,), "float32")
    R = T.alloc_local((2,), "float32")
    with T.Kernel(1, threads=64) as (bx, tx):
        R[0] = 1.0
        S[tx] = R[0]
        C[tx] = S[tx]
