# HazardNotEstablished: what a launch touches in front of T.pdl_sync may be what earlier launches still write.
# ./dev lit tests/diagnostics/early_access.py
# RUN: tilescope check --target sm_90a %s | FileCheck %s
import tilelang.language as T


# CHECK: warning, line [[# @LINE + 13]]: it is not established that earlier launches are done with 'B' here, in front of T.pdl_sync
# CHECK: warning, line [[# @LINE + 24]]: it is not established that earlier launches are done with 'A' here, in front of T.pdl_sync
# CHECK-NOT: earlier launches are done
@T.prim_func
def chain(A: T.Tensor((128,), "float32"), W: T.Tensor((128,), "float32"), B: T.Tensor((128,), "float32"), n: T.int32):
    with T.Kernel(1, threads=128) as bx:
        tx = T.get_thread_binding()
        B[tx] = A[tx] + 1.0
        T.pdl_trigger()
    with T.Kernel(1, threads=128) as bx:
        tx = T.get_thread_binding()
        w = W[tx]
        if n > 0:
            B[0] = w
            T.pdl_sync()
        else:
            T.pdl_sync()
            B[tx] = w
        for i in T.serial(n):
            T.pdl_sync()
        A[tx] = w * B[tx]
    with T.Kernel(1, threads=128) as bx:
        tx = T.get_thread_binding()
        if n > 0:
            T.pdl_sync()
        A[tx] = 2.0
        T.pdl_sync()
        B[tx] = A[tx]
    with T.Kernel(1, threads=128) as bx:
        tx = T.get_thread_binding()
        W[tx] = B[tx]
    with T.Kernel(1, threads=128) as bx:
        tx = T.get_thread_binding()
        A[tx] = B[tx]
        T.pdl_sync()
