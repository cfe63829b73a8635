# RUN: tilescope exec --target sm_90a %s:parities --set sign=1 --witness | FileCheck %s --implicit-check-not=WRONG
# ./dev lit tests/exec/parities.py
# RUN: tilescope exec --target sm_90a %s:parities --set sign=-1 --witness | FileCheck %s --implicit-check-not=WRONG
# RUN: not tilescope compile --target sm_90a %s:no_parity 2>&1 | FileCheck %s --check-prefix NONE
import tilelang
import tilelang.language as T


# Of a parity the lowest bit counts, in every machine that runs the kernel.
# CHECK: {{^}}elaborate {{ *}}runs
# CHECK: {{^}}cuda {{ *}}equal
@tilelang.jit
def parities(sign):
    @T.prim_func
    def main(X: T.Tensor((256, 64), "float16"), C: T.Tensor((256, 64), "float16")):
        with T.Kernel(1, threads=128):
            tile = T.alloc_shared((64, 64), "float16")
            full = T.alloc_barrier(128)
            for k in T.serial(4):
                T.tma_copy(X[k * 64, 0], tile, barrier=full)
                T.barrier_arrive(full)
                T.barrier_wait(full, k * sign)
                T.copy(tile, C[k * 64, 0])
                T.sync_threads()

    return main


@T.prim_func
def no_parity(C: T.Tensor((64,), "float16")):
    with T.Kernel(1, threads=128):
        full = T.alloc_barrier(128)
        T.barrier_arrive(full)
        # NONE: [[# @LINE + 1]]:{{.*}}error: 'parity' of 'T.barrier_wait' must be 0 or 1
        T.barrier_wait(full, 2)
