# tilescope-ir 1
# ./dev lit tests/ops/fail_buffer_offset.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# BufferOffset: only the arena has offsets.
@T.prim_func
def f(A: T.Tensor((64, 64), "float16")):
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'a' in local cannot have offset 0
    a = T.alloc_local((4,), "int32", offset=0)
    with T.Kernel(1, threads=128) as (bx, tx):
        T.barrier()
