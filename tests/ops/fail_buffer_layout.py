# tilescope-ir 1
# ./dev lit tests/ops/fail_buffer_layout.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# BufferLayout: registers have no addresses.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'a' in local.fragment cannot have layout swizzle(64)
    a = T.alloc_fragment((4, 4), "int32", layout="swizzle(64)")
    # A memory order is of a tensor or a tile, and gives every element a place.
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'b' in shared.dyn cannot have layout permuted(4@1 | 4@8)
    b = T.alloc_shared((4, 4), "int32", layout="permuted(4@1 | 4@8)")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.barrier()
