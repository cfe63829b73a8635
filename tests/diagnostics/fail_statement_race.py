# tilescope-ir 1
# ./dev lit tests/diagnostics/fail_statement_race.py
# RUN: not tilescope opt --passes insert-barriers %s 2>&1 | FileCheck %s
@T.prim_func(properties=["lowered"])
def races(
    A: T.Tensor((8, 512), "float32"),
    Q: T.Tensor((8, 512), "int4"),
    n: T.int32,
):
    s = T.alloc_shared((256,), "float32")
    v = T.alloc_shared((128,), "float32", versions=2)
    q = T.alloc_shared((512,), "int4")
    with T.Kernel(8, threads=128) as (bx, tx):
        # CHECK-NOT: error
        s[tx] = s[tx] * 2.0
        for k in T.serial(0, 2):
            s[k * 128 + tx] = s[(1 - k) * 128 + tx]
        for k in T.serial(0, n):
            v[k % 2, tx] = v[(k + 1) % 2, 127 - tx]
        if A[bx, tx] > 0.0:
            s[tx] = s[127 - tx]
        s[tx] = s[127 - tx] if tx < 0 else 0.0
        for j in T.unroll(0, 2):
            q[tx * 2 + j] = T.int4(1)
            Q[bx, tx * 2 + j] = T.int4(1)
        if tx < 1:
            q[n] = T.int4(1)
        # CHECK: [[# @LINE + 1]]:9: error: threads that run this statement read elements of 's' while others write them
        s[tx] = s[127 - tx]
        if n < 4:
            # CHECK: [[# @LINE + 1]]:13: error: threads that run this statement read elements of 's' while others write them
            T.vector_copy(s[tx:tx + 1], s[tx + 1:tx + 2], bytes=4)
        # CHECK: [[# @LINE + 1]]:9: error: threads that run this statement read elements of 's' while others write them
        s[tx // 2] = s[tx // 2] + 1.0
        # CHECK: [[# @LINE + 1]]:9: error: elements of 'q' that share a byte may be written by different threads, which replace each other's
        q[tx] = T.int4(1)
        # CHECK: [[# @LINE + 1]]:9: error: elements of 'q' that share a byte may be written by different threads
        q[(tx + n) % 64] = T.int4(1)
        if tx < 1:
            # CHECK: [[# @LINE + 1]]:13: error: elements of 'Q' that share a byte may be written by different threads
            Q[0, bx] = T.int4(1)
        # CHECK-NOT: error
