# RUN: not tilescope compile %s 2>&1 | FileCheck %s
# ./dev lit tests/diagnostics/fail_pointer_without_tensor.py
# PointerWithoutTensor
import tilelang.language as T


# CHECK: [[# @LINE + 2]]:{{.*}}error: 'lost' is a pointer that no T.make_tensor says the tensor of
@T.prim_func
def pointers(a: T.handle, lost: T.handle):
    A = T.make_tensor(a, (8,), "float32")
    with T.Kernel(1, threads=32):
        for i in T.Parallel(8):
            A[i] = 1.0
