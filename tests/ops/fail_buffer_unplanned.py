# tilescope-ir 1
# ./dev lit tests/ops/fail_buffer_unplanned.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# BufferUnplanned: a planned arena leaves no buffer out.
@T.prim_func(properties=["arena-planned"])
def f(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'a' has no place, though its function is 'arena-planned'
    a = T.alloc_shared((4,), "int32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.barrier()
