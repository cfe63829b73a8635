# RUN: tilescope compile --target sm_90a %s -o - 2>&1 | FileCheck %s --implicit-check-not=warning
# ./dev lit tests/passes/mbarrier_alignment.py

# An mbarrier is 8 bytes at a multiple of 8, alone or in an array; what a copy counts at it is not said of its own bytes.
import tilelang.language as T


# CHECK: full: uint64[2], row_major, bytes [16384, 16400)
# CHECK: begun: uint64[1], row_major, bytes [16400, 16408)
# CHECK: done: uint64[1], row_major, bytes [16408, 16416)
# CHECK: <<<grid, 128, 16416, stream>>>
@T.prim_func
def tiles(A: T.Tensor((256, 64), "float16"), B: T.Tensor((256, 64), "float16")):
    with T.Kernel(1, threads=128):
        even = T.alloc_shared((64, 64), "float16")
        odd = T.alloc_shared((64, 64), "float16")
        full = T.alloc_barrier([128, 128])
        begun = T.alloc_barrier(128)
        done = T.alloc_barrier(128)
        for k in T.serial(2):
            T.mbarrier_arrive(begun)
            T.mbarrier_wait_parity(begun, k % 2)
            T.tma_copy(A[k * 128, 0], even, barrier=full[k % 2])
            T.tma_copy(A[k * 128 + 64, 0], odd, barrier=full[k % 2])
            T.mbarrier_arrive(full[k % 2])
            T.mbarrier_wait_parity(full[k % 2], 0)
            T.copy(even, B[k * 128, 0])
            T.copy(odd, B[k * 128 + 64, 0])
            T.mbarrier_arrive(done)
            T.mbarrier_wait_parity(done, k % 2)
