# RUN: tilescope check --target sm_90a %s | FileCheck %s
# ./dev lit tests/passes/roles_unrolled.py
# RUN: tilescope exec --target sm_90a %s | FileCheck %s --check-prefix EXEC

# Loops that the kernel unrolls are written out where they use mbarriers: which of two it is, and which
# iterations arrive, is then known, and hazards are decided.
# CHECK: free of hazards yes
# EXEC: insert-barriers#2 equal
import tilelang.language as T


@T.prim_func
def kernel(A: T.Tensor((64, 512), "float16"), B: T.Tensor((512, 64), "float16"), C: T.Tensor((64, 64), "float32")):
    with T.Kernel(1, threads=256):
        As = T.alloc_shared((2, 64, 64), "float16")
        Bs = T.alloc_shared((2, 64, 64), "float16")
        sums = T.alloc_fragment((64, 64), "float32")
        full = T.alloc_barrier([128, 128])
        empty = T.alloc_barrier(128)
        with T.ws(1):
            for k in T.serial(4):
                for slot in T.unroll(2):
                    if k != 0:
                        T.barrier_wait(empty, k % 2 ^ 1)
                    T.tma_copy(A[0:64, (2 * k + slot) * 64:(2 * k + slot + 1) * 64], As[slot, :, :], barrier=full[slot])
                    T.tma_copy(B[(2 * k + slot) * 64:(2 * k + slot + 1) * 64, 0:64], Bs[slot, :, :], barrier=full[slot])
                    T.barrier_arrive(full[slot])
        with T.ws(0):
            T.clear(sums)
            for k in T.serial(4):
                for slot in T.unroll(2):
                    T.barrier_wait(full[slot], k % 2)
                    T.wgmma_gemm(As[slot, :, :], Bs[slot, :, :], sums)
                    T.wait_wgmma(0)
                    if slot == 1 and k != 3:
                        T.barrier_arrive(empty)
            T.copy(sums, C)
