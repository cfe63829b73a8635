# RUN: tilescope check --strict %s:apart 2>&1 | FileCheck %s
# ./dev lit tests/diagnostics/rows_copied_apart.py
# RUN: exits 1 tilescope check %s:early 2>&1 | FileCheck %s --check-prefix=EARLY

# Rows of a tile that a kernel copies to asynchronously, one after the other, are different memory.
import tilelang.language as T


# CHECK: free of hazards yes
@T.prim_func
def apart(A: T.Tensor((256,), "float32"), B: T.Tensor((256,), "float32")):
    with T.Kernel(1, threads=64):
        s = T.alloc_shared((2, 128), "float32")
        T.async_copy(A[0:128], s[0, :])
        T.async_copy(A[128:256], s[1, :])
        T.ptx_wait_group(1)
        T.sync_threads()
        for i in T.Parallel(128):
            B[i] = s[0, i]
        T.ptx_wait_group(0)
        T.sync_threads()
        for i in T.Parallel(128):
            B[128 + i] = s[1, i]


# EARLY: free of hazards no
# EARLY: error, line [[# @LINE + 10]]: 's' is accessed before the asynchronous copy of 's' has been waited for
# EARLY-NOT: error, line
@T.prim_func
def early(A: T.Tensor((256,), "float32"), B: T.Tensor((128,), "float32")):
    with T.Kernel(1, threads=64):
        s = T.alloc_shared((2, 128), "float32")
        T.async_copy(A[0:128], s[0, :])
        T.async_copy(A[128:256], s[1, :])
        T.ptx_wait_group(1)
        for i in T.Parallel(128):
            B[i] = s[1, i]
        T.ptx_wait_group(0)
