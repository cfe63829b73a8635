# tilescope-ir 1
# ./dev lit tests/ops/fail_buffer_offset.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# BufferOffset: only the arena has offsets, at multiples of 16 bytes, or of the pattern that an aligned swizzle repeats.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'a' in local cannot have offset 0
    a = T.alloc_local((4,), "int32", offset=0)
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'b' in shared.dyn cannot have offset 24
    b = T.alloc_shared((4,), "float64", offset=24)
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'c' in shared.dyn cannot have offset -16
    c = T.alloc_shared((4,), "float16", offset=-16)
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'd' in shared.dyn cannot have offset 9223372036854775792
    d = T.alloc_shared((4,), "float16", offset=9223372036854775792)
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'e' in shared.dyn cannot have offset 512
    e = T.alloc_shared((64, 64), "float16", layout="aligned_swizzle(128)", offset=512)
    # CHECK-NOT: error
    g = T.alloc_shared((64, 32), "float16", layout="aligned_swizzle(64)", offset=512)
    with T.Kernel(1, threads=128) as (bx, tx):
        T.barrier()
