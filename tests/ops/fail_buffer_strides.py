# tilescope-ir 1
# ./dev lit tests/ops/fail_buffer_strides.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# BufferStrides: one stride an axis.
@T.prim_func
def f(
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'A' has 1 strides for 2 axes
    A: T.Tensor((64, 64), "float16", strides=[64]),
):
    with T.Kernel(1, threads=128) as (bx, tx):
        T.barrier()
