# RUN: tilescope show ir %s --pass elaborate | FileCheck %s
# ./dev lit tests/frontend/atomics.py
import tilelang
import tilelang.language as T


# A result is a register that the operation writes and the expression reads.
@tilelang.jit
def atomics():
    @T.prim_func
    def main(A: T.Tensor((64,), "float32"), H: T.Tensor((64,), "int32"), F: T.Tensor((64,), "float16"),
             G: T.Tensor((64,), "float16"), B: T.Tensor((64,), "float32")):
        with T.Kernel(1, threads=32) as bx:
            tx = T.get_thread_binding()
            tile = T.alloc_fragment((32,), "float32")
            T.clear(tile)
            # CHECK: T.atomic_fetch(H[tx], previous[0], 1, order="acq_rel")
            # CHECK-NEXT: place: T.int32 = previous[0]
            place = T.atomic_add(H[tx], 1, return_prev=True, memory_order="acq_rel")
            # CHECK-NEXT: T.atomic_element(A[place], 2.0, kind="max")
            T.atomic_max(A[place], 2)
            # CHECK-NEXT: T.atomic_element(H[tx], 3, kind="or")
            T.atomic_or(H[tx], 3)
            # CHECK-NEXT: T.atomic_vector(F[tx * 2:tx * 2 + 2], G[2:4])
            T.atomic_addx2(F[tx * 2], G[2:4])
            # CHECK-NEXT: T.atomic_vector(A[tx * 2:tx * 2 + 4], B[0:4])
            T.atomic_addx4(A[tx * 2], B[0])
            # CHECK-NEXT: T.atomic_fetch(A[0], previous_1[0], B[4])
            # CHECK-NEXT: T.atomic_fetch(A[1], previous_1[1], B[5])
            both = T.atomic_addx2(A[0], B[4], return_prev=True)
            # CHECK-NEXT: T.raw_copy(previous_1[0:2], A[8:10], bytes=8)
            A[8:10] = both
            # CHECK-NEXT: T.atomic_load(H[0], loaded[0], order="acquire")
            # CHECK-NEXT: T.atomic_store(H[1], loaded[0] + 1, order="seq_cst")
            T.atomic_store(H[1], T.atomic_load(H[0], memory_order="acquire") + 1)
            # CHECK-NEXT: T.atomic_tile(A[0:32], tile[0:32], kind="min")
            T.atomic_min(A[0:32], tile)
            # CHECK-NEXT: for i0 in T.Parallel(32):
            # CHECK-NEXT: T.atomic_element(A[i0], 1.0)
            T.atomic_add(A[0:32], 1)

    return main
