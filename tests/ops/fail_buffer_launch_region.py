# tilescope-ir 1
# ./dev lit tests/ops/fail_buffer_launch_region.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# BufferLaunchRegion, BufferUnplanned: what is sized at launch has a region, and nothing else has.
@T.prim_func(properties=["tile", "arena-planned"])
def f(n: T.int32):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'a' cannot have launch region 0
    a = T.alloc_shared((4,), "int32", offset=0, launch_region=0)
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'b' cannot have launch region -1
    b = T.alloc_shared((n,), "int32", launch_region=-1)
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'c' cannot have launch region 9223372036854775807
    c = T.alloc_shared((n,), "int32", launch_region=9223372036854775807)
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'd' has no place, though its function is 'arena-planned'
    d = T.alloc_shared((n,), "int32")
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'e' cannot have launch region 0
    e = T.alloc_local((n,), "int32", launch_region=0)
    with T.Kernel(1, threads=128) as (bx, tx):
        T.barrier()
