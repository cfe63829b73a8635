# tilescope-ir 1
# ./dev lit tests/passes/roles_stores.py
# Two roles that each store boxes of one tensor: rows of their own need no order, rows of both do, also of other steps.
# RUN: tilescope opt --target sm_90a %s --passes insert-barriers -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning
# CHECK: warning: it is not established that accesses of 'C' are in order
# CHECK-NEXT: T.tma_store(Q[0:64, 0:64], C[bx * 128 + 56:
# CHECK: note: 'C' is accessed here first
# CHECK-NEXT: T.tma_store(P[0:64, 0:64], C[bx * 128:
# CHECK: warning: it is not established that accesses of 'C' are in order
# CHECK-NEXT: T.tma_store({{[PQ]}}[0:64, 0:64], C[bx * 256 + t * 64
@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered"])
def apart(C: T.Tensor((512, 64), "float16", output=True)):
    P = T.alloc_shared((64, 64), "float16", layout="aligned_swizzle(128)")
    Q = T.alloc_shared((64, 64), "float16", layout="aligned_swizzle(128)")
    with T.Kernel(4, threads=256) as (bx, tx):
        with T.ws(0):
            for i in T.serial(0, 32):
                P[tx // 2, tx % 2 * 32 + i] = T.float16(0.0)
            T.tma_store(P[0:64, 0:64], C[bx * 128:bx * 128 + 64, 0:64])
            T.tma_store_commit()
            T.tma_store_wait()
        with T.ws(1):
            for i in T.serial(0, 32):
                Q[tx // 2 - 64, tx % 2 * 32 + i] = T.float16(1.0)
            T.tma_store(Q[0:64, 0:64], C[bx * 128 + 64:bx * 128 + 128, 0:64])
            T.tma_store_commit()
            T.tma_store_wait()

@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered"])
def over(C: T.Tensor((512, 64), "float16", output=True)):
    P = T.alloc_shared((64, 64), "float16", layout="aligned_swizzle(128)")
    Q = T.alloc_shared((64, 64), "float16", layout="aligned_swizzle(128)")
    with T.Kernel(4, threads=256) as (bx, tx):
        with T.ws(0):
            for i in T.serial(0, 32):
                P[tx // 2, tx % 2 * 32 + i] = T.float16(0.0)
            T.tma_store(P[0:64, 0:64], C[bx * 128:bx * 128 + 64, 0:64])
            T.tma_store_commit()
            T.tma_store_wait()
        with T.ws(1):
            for i in T.serial(0, 32):
                Q[tx // 2 - 64, tx % 2 * 32 + i] = T.float16(1.0)
            T.tma_store(Q[0:64, 0:64], C[bx * 128 + 56:bx * 128 + 120, 0:64])
            T.tma_store_commit()
            T.tma_store_wait()

@T.prim_func(kind="device", properties=["pipelined", "layouts-inferred", "lowered"])
def later(C: T.Tensor((1024, 64), "float16", output=True)):
    P = T.alloc_shared((64, 64), "float16", layout="aligned_swizzle(128)")
    Q = T.alloc_shared((64, 64), "float16", layout="aligned_swizzle(128)")
    with T.Kernel(4, threads=256) as (bx, tx):
        with T.ws(0):
            for i in T.serial(0, 32):
                P[tx // 2, tx % 2 * 32 + i] = T.float16(0.0)
            for t in T.serial(0, 2):
                T.tma_store(P[0:64, 0:64], C[bx * 256 + t * 64:bx * 256 + t * 64 + 64, 0:64])
                T.tma_store_commit()
                T.tma_store_wait()
        with T.ws(1):
            for i in T.serial(0, 32):
                Q[tx // 2 - 64, tx % 2 * 32 + i] = T.float16(1.0)
            for t in T.serial(0, 2):
                T.tma_store(Q[0:64, 0:64], C[bx * 256 + t * 64 + 64:bx * 256 + t * 64 + 128, 0:64])
                T.tma_store_commit()
                T.tma_store_wait()
