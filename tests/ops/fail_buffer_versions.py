# tilescope-ir 1
# ./dev lit tests/ops/fail_buffer_versions.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# BufferVersions: what comes from outside is never versioned.
@T.prim_func
def f(
    # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer 'A' in global cannot have 2 versions
    A: T.Tensor((64, 64), "float16", versions=2),
):
    with T.Kernel(1, threads=128) as (bx, tx):
        T.barrier()
