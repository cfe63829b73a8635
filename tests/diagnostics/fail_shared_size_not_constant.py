# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_shared_size_not_constant.py
# RUN: not tilescope opt --passes merge-shared-memory %s 2>&1 | FileCheck %s
@T.prim_func(properties=["lowered", "barriers-placed"])
def symbolic(
    A: T.Tensor((n,), "float32"),
    n: T.int32,
):
    # CHECK: [[# @LINE + 1]]:{{.*}}error: the size of static shared buffer 'a' is not constant
    a = T.alloc_shared_static((n,), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        a[tx] = 0.0
