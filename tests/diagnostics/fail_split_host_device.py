# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_split_host_device.py
# RUN: not tilescope opt --passes split-host-device %s 2>&1 | FileCheck %s

# LaunchUnderHostCode
@T.prim_func
def conditional(
    A: T.Tensor((512,), "float32"),
    n: T.int32,
):
    if n < 4:
        # CHECK: [[# @LINE + 1]]:{{.*}}error: a kernel launch stands under host control flow
        with T.Kernel(4, threads=128) as (bx, tx):
            A[bx * 128 + tx] = 0.0
