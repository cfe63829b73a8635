# RUN: tilescope opt --passes '' %s:several | FileCheck %s
# ./dev lit tests/frontend/thread_axes.py
# RUN: tilescope opt --passes '' %s:flat | FileCheck %s --check-prefix=FLAT

# A block of several dimensions has one thread axis, x fastest; its dimensions are digits of the thread.
import tilelang.language as T


# CHECK: with T.Kernel(4, threads=64) as (bx, tx):
# CHECK: A[bx, tx % 8, tx // 8 % 2, tx // 16] = 1.0
# CHECK: x: T.int32 = tx % 8
# CHECK-NEXT: y: T.int32 = tx // 8 % 2
# CHECK-NEXT: z: T.int32 = tx // 16
# CHECK: u: T.int32 = tx % 8
# CHECK-NEXT: v: T.int32 = tx // 8 % 2
# CHECK-NEXT: w: T.int32 = tx // 16
@T.prim_func
def several(A: T.Tensor((4, 8, 2, 4), "float32")):
    with T.Kernel(4, threads=(8, 2, 4)) as bx:
        A[bx, T.get_thread_binding(0), T.get_thread_binding(1), T.get_thread_binding(2)] = 1.0
        x, y, z = T.get_thread_bindings()
        A[bx, x, y, z] = 2.0
        u = T.thread_binding(0, 8, thread="threadIdx.x")
        v = T.thread_binding(2, thread="threadIdx.y")
        w = T.thread_binding(4, "threadIdx.z")
        A[bx, u, v, w] = 3.0


# FLAT: with T.Kernel(4, threads=64) as (bx, tx):
# FLAT: A[bx, tx] = 0.0
@T.prim_func
def flat(A: T.Tensor((4, 64), "float32")):
    with T.Kernel(4, threads=[64, 1]) as bx:
        A[bx, T.get_thread_binding() + T.get_thread_binding(1)] = 0.0
