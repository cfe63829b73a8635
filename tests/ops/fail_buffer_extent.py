# tilescope-ir 1
# ./dev lit tests/ops/fail_buffer_extent.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# BufferExtent: a buffer may be empty, no less.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'a' has extent -1
    a = T.alloc_shared((4, -1), "int32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.barrier()
